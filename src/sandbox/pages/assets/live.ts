import '../browser/htmx.ts'
import { copyCommands } from '../browser/copy-commands.ts'
import { keepSame } from '../browser/keep-same.ts'

copyCommands(document)
keepSame(document)
