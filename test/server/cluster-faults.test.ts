import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCampaign } from '../support/cluster/node-faults.ts'
import { type Cluster, skipsPostgres, startCluster } from '../support/cluster/postgres.ts'
import { printFigures } from '../support/load/figures.ts'
import { fromEnvironment, seedFromEnvironment } from '../support/load/random.ts'
import { times } from '../support/runner/counts.ts'

// TILLBOX_ROUNDS  faults
// TILLBOX_SEED    the seed of a run before; the moments of the faults are those of this machine all the same

describe.skipIf(skipsPostgres())('three nodes of one database', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.remove())

  test('the nodes keep all promises under load through kills, sleep, cut connections and crashes of the database', async () => {
    const seed = seedFromEnvironment()
    const rounds = fromEnvironment('TILLBOX_ROUNDS', times(5, 100))
    const [spaces, pause] = [times(2, 30), times(400, 60)]
    const { figures, problems } = await runCampaign({ cluster, rounds, spaces, pause, seed })
    printFigures('faults of nodes', { ...figures, problems: problems.length, seed })
    expect(problems.join('\n'), `TILLBOX_SEED=${seed}`).toBe('')
    expect(figures['operations acknowledged']).toBeGreaterThan(rounds)
  })
})
