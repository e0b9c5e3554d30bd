import './htmx.ts'
import { copyCommands } from './copy-commands.ts'
import { keepSame } from './keep-same.ts'
import { watchLink } from './link.ts'

copyCommands(document)
keepSame(document)
watchLink(document)
