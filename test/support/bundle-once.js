/** Before all tests, dist/ is bundled from the sources as they are: no test meets an old build. */
export { bundle as setup } from '../../bin/bundle.js'
