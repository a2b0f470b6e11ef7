import type { Reader } from '../db/database.ts';
import { computed, row } from '../db/row.ts';

const sender = row({
  name: computed.text,
  state: computed.text.orNull(),
  isSynchronous: computed.boolean,
  behindSeconds: computed.number,
  behindBytes: computed.number,
});
const waiting = row({ waitsFor: computed.text });

/** Who copies the log of this server, as it sees them. */
export interface StandbyHealth {
  readonly copies: readonly {
    readonly name: string;
    /** Null to a user who may not see it. */
    readonly state: string | null;
    readonly isSynchronous: boolean;
    readonly behindSeconds: number;
    readonly behindBytes: number;
  }[];
  /** `synchronous_standby_names` where commits wait for them; empty where they wait for none. */
  readonly waitsFor: string;
}

export async function readStandbyHealth(reader: Reader): Promise<StandbyHealth> {
  const copies = await reader.rows(sender.sql`
    select coalesce(nullif(application_name, ''), client_addr::text, pid::text) as name, state,
      coalesce(sync_state in ('sync', 'quorum'), false) as "isSynchronous",
      coalesce(extract(epoch from replay_lag), 0)::float8 as "behindSeconds",
      coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0)::float8 as "behindBytes"
    from pg_stat_replication order by 1`);
  const [found] = await reader.rows(waiting.sql`
    select case when current_setting('synchronous_commit') in ('off', 'local') then ''
      else current_setting('synchronous_standby_names') end as "waitsFor"`);
  return { copies, waitsFor: found?.waitsFor ?? '' };
}
