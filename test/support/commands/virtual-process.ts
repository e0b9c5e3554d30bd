import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { PassThrough, Readable, Writable } from 'node:stream'
import { format } from 'node:util'
import type { Ended } from './launched.ts'

export interface VirtualProcessOptions {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Standard input; left out, it is empty. */
  readonly stdin?: string | Readable
  /** Standard input and standard error are a terminal, or standard input alone. */
  readonly keyboard?: boolean | 'alone'
  /** Size of the terminal that its streams are; left out, they are none. */
  readonly terminal?: TerminalSize
}

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/**
 * What `process` is for the code that `run` starts, and for everything that this code goes on to do: streams, environment, exit code,
 * listeners and `exit` are its own. The working folder, HOME and PATH are those of the real process while a virtual one runs.
 */
export class VirtualProcess {
  readonly #events = new EventEmitter().setMaxListeners(0)
  readonly #output = { stdout: '', stderr: '', both: '' }
  readonly #members: Record<PropertyKey, unknown>
  readonly #surroundings: Surroundings
  readonly #keyboard: Keyboard | undefined
  #isRunning = true
  #resolve: (result: Ended) => void = () => undefined
  /** Resolves when the work is done, or has called process.exit. */
  readonly ended = new Promise<Ended>((resolve) => {
    this.#resolve = resolve
  })

  constructor({ argv, env, cwd, stdin = '', keyboard = false, terminal }: VirtualProcessOptions) {
    this.#keyboard = keyboard || terminal !== undefined ? newKeyboard() : undefined
    const questions = terminal ?? (keyboard === true ? { columns: 80, rows: 24 } : undefined)
    this.#surroundings = { cwd, home: env.HOME ?? cwd, path: env.PATH ?? '' }
    const listeners = Object.fromEntries(
      listenerMethods.map((name) => [name, this.#events[name].bind(this.#events)]),
    )
    this.#members = {
      ...listeners,
      argv: [process.execPath, 'tillbox', ...argv],
      env: { ...env },
      exitCode: undefined,
      stdin: this.#keyboard ?? (stdin instanceof Readable ? stdin : streamOf(stdin)),
      stdout: this.#stream('stdout', terminal),
      stderr: this.#stream('stderr', questions),
      emitWarning: (warning: unknown) => this.#write('stderr', `Warning: ${warning}\n`),
      kill: (pid: number, signal?: NodeJS.Signals | 0) => {
        if (pid !== realProcess.pid || signal === 0) return realProcess.kill(pid, signal)
        this.#end(null, signal)
        return true
      },
      exit: (code?: number) => {
        this.#end(code)
        throw new Error('process.exit was called') // nothing of this is written any more
      },
    }
  }

  /** What it wrote; `both`: to either stream, as a terminal shows it. */
  get output(): Readonly<{ stdout: string; stderr: string; both: string }> {
    return { ...this.#output }
  }

  /** Calls back whenever something is written to standard output. */
  onOutput(listener: () => void): void {
    this.#events.on(written, listener)
  }

  /** Runs the work as this process. */
  run(work: () => Promise<unknown>): void {
    running.add(this)
    enter(this.#surroundings)
    current
      .run(this, () => work())
      .then(
        () => this.#end(),
        (error: Error) => {
          this.#write('stderr', `${error.stack}\n`)
          this.#end(1)
        },
      )
  }

  /** True while its terminal hands on every key as it is typed. */
  get isRaw(): boolean {
    return this.#keyboard?.isRaw === true
  }

  /** Types characters or escape sequences at its terminal. Ctrl-C is a signal, as long as no program takes every key. */
  type(keys: string): void {
    if (keys === ctrlC && !this.isRaw) this.signal('SIGINT')
    else current.run(this, () => this.#keyboard?.write(keys))
  }

  /** Delivers a signal to its listeners; without one, the process ends by it. */
  signal(signal: NodeJS.Signals): void {
    if (!this.#isRunning) return
    if (signal === 'SIGKILL' || signal === 'SIGSTOP')
      throw new Error(`${signal} needs a process: launch the binary`)
    if (this.#events.listenerCount(signal) === 0) return this.#end(null, signal)
    try {
      current.run(this, () => this.#events.emit(signal, signal))
    } catch (error) {
      if (this.#isRunning) throw error
    }
  }

  member(name: PropertyKey): unknown {
    return this.#members[name]
  }

  has(name: PropertyKey): boolean {
    return Object.hasOwn(this.#members, name)
  }

  set(name: PropertyKey, value: unknown): void {
    this.#members[name] = value
  }

  #stream(name: 'stdout' | 'stderr', terminal: TerminalSize | undefined): Writable {
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        this.#write(name, String(chunk))
        done()
      },
    })
    return Object.assign(stream, staysOpen, terminal && screen(terminal))
  }

  #write(name: 'stdout' | 'stderr', text: string): void {
    if (!this.#isRunning) return
    this.#output[name] += text
    this.#output.both += text
    if (name === 'stdout') this.#events.emit(written)
  }

  #end(
    code: number | null = (this.#members.exitCode as number | undefined) ?? 0,
    signal: NodeJS.Signals | null = null,
  ) {
    if (!this.#isRunning) return
    current.run(this, () => this.#events.emit('exit', code))
    this.#isRunning = false
    running.delete(this)
    const [other] = [...running].slice(-1)
    enter(other === undefined ? outside : other.#surroundings)
    const { stdout, stderr } = this.#output
    this.#resolve({ code, signal, stdout, stderr })
  }
}

const written = Symbol('written')
const ctrlC = '\u0003'

const streamOf = (text: string): Readable =>
  Readable.from(text === '' ? [] : [Buffer.from(text)], { objectMode: false })

type Keyboard = ReturnType<typeof newKeyboard>

/** What a terminal in which nothing is coloured gives a program to read from. */
const newKeyboard = () =>
  Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode(isRaw: boolean) {
      this.isRaw = isRaw
      return this
    },
    ref() {
      return this
    },
    unref() {
      return this
    },
  })

/** What it gives a program to write to. */
const screen = ({ columns, rows }: TerminalSize) => ({
  isTTY: true,
  columns,
  rows,
  getWindowSize: () => [columns, rows],
  getColorDepth: () => 1,
  hasColors: () => false,
})

/** A standard stream is open as long as its process, whatever is piped into it. */
const staysOpen = {
  end() {
    return this
  },
}

const listenerMethods = [
  'on',
  'prependListener',
  'once',
  'off',
  'addListener',
  'removeListener',
  'removeAllListeners',
  'listenerCount',
  'listeners',
  'emit',
] as const

const isListenerMethod = (name: PropertyKey): boolean =>
  (listenerMethods as readonly PropertyKey[]).includes(name)

const current = new AsyncLocalStorage<VirtualProcess>()
const running = new Set<VirtualProcess>()
const realProcess = process

const proxy = new Proxy(realProcess, {
  get(target, name) {
    const own = current.getStore()
    return own?.has(name) ? own.member(name) : Reflect.get(target, name, target)
  },
  set(target, name, value) {
    const own = current.getStore()
    if (own?.has(name)) own.set(name, value)
    // signal-exit, which prompts use, puts back what it found within a virtual process, and may do so outside
    else if (!isListenerMethod(name)) Reflect.set(target, name, value, target)
    return true
  },
})

globalThis.process = proxy

const printTo = (name: 'stdout' | 'stderr', print: typeof console.log): typeof console.log => {
  return (...args) => {
    const stream = current.getStore()?.member(name)
    if (stream instanceof Writable) stream.write(`${format(...args)}\n`)
    else print(...args)
  }
}
console.log = printTo('stdout', console.log)
console.error = printTo('stderr', console.error)

/** What the operating system knows of a process, and what all virtual ones share. */
interface Surroundings {
  readonly cwd: string
  readonly home: string
  /** Where a program is looked for that it starts. */
  readonly path: string
}

const outside: Surroundings = {
  cwd: process.cwd(),
  home: process.env.HOME ?? '',
  path: process.env.PATH ?? '',
}

function enter({ cwd, home, path }: Surroundings): void {
  realProcess.chdir(cwd)
  Object.assign(realProcess.env, { HOME: home, PATH: path })
}
