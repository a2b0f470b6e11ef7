import { compareReleases } from '../release.ts';
import type { Connection } from './engine.ts';

/** A process of the product that said it lives. */
export interface SeenReplica {
  readonly id: string;
  readonly release: string;
  readonly role: string;
  readonly address: string;
  /** When it was seen last, by the clock of the database. */
  readonly secondsAgo: number;
  readonly isDraining: boolean;
}

/** A replica that was seen within this time counts as running; it says every five seconds that it lives. */
export const aliveSeconds = 20;

/** Replicas seen within so many seconds, oldest release first; none in a database from before they were kept. */
export async function listSeenReplicas(connection: Connection, seconds: number): Promise<readonly SeenReplica[]> {
  const { rows: tables } = await connection.query(`select to_regclass('replicas') is not null as "isThere"`);
  if (tables[0]?.['isThere'] !== true) return [];
  const { rows } = await connection.query(
    `select id, release, role, address, extract(epoch from now() - seen_at)::float8 as "secondsAgo",
      draining_since is not null as "isDraining"
    from replicas where seen_at > now() - make_interval(secs => $1) order by started_at, id`,
    [seconds],
  );
  const replicas = rows as unknown as SeenReplica[];
  return [...replicas].sort((one, other) => compareReleases(one.release, other.release));
}
