import '../browser/htmx.ts'
import { copyCommands } from '../browser/copy-commands.ts'
import { keepSame } from '../browser/keep-same.ts'
import { watchLink } from '../browser/link.ts'

copyCommands(document)
keepSame(document)
watchLink(document)
