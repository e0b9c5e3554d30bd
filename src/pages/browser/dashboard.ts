import './htmx.ts'
import { watchLink } from './connection-notice.ts'
import { copyCommands } from './copy-commands.ts'
import { keepSame } from './skip-unchanged.ts'

copyCommands(document)
keepSame(document)
watchLink(document)
