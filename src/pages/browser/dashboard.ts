import './htmx.ts'
import { copyCommands } from './copy-commands.ts'
import { keepSame } from './skip-unchanged.ts'
import { watchLink } from './connection-notice.ts'

copyCommands(document)
keepSame(document)
watchLink(document)
