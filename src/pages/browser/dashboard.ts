import './htmx.ts'
import { watchConnection } from './connection-notice.ts'
import { copyCommands } from './copy-commands.ts'
import { skipUnchanged } from './skip-unchanged.ts'

copyCommands(document)
skipUnchanged(document)
watchConnection(document)
