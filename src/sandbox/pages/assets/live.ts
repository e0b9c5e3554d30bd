import '../browser/htmx.ts'
import { copyCommands } from '../browser/copy-commands.ts'

copyCommands(document)
