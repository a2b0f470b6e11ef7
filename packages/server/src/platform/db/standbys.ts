import { AsyncLocalStorage } from 'node:async_hooks';
import { latestPosition } from '@portolan/contract/position';
import type pg from 'pg';
import { createClientClass, readServers } from './addresses.ts';
import type { Connection, Following, StandbyProblem, Standbys } from './engine.ts';
import {
  isLater,
  type Position,
  type PositionRow,
  positionStatement,
  readPosition,
  toPosition,
  writePosition,
} from './position.ts';
import { type ServerState, watchServer } from './server-watch.ts';
import { openStandby, type Standby } from './standby.ts';
import type { PrimaryReason, StandbyFigures, StandbyMetrics } from './standby-metrics.ts';
import type { StatementNames } from './statement-names.ts';

export interface StandbysOptions {
  readonly connectionString: string;
  readonly settings: pg.ClientConfig;
  readonly poolSize: number;
  readonly names: StatementNames;
  /** How old reads without a position may be; such reads go to the primary if absent. */
  readonly stalenessMs?: number | undefined;
  readonly createPrimaryClient: () => pg.Client;
  readonly metrics: StandbyMetrics;
}

interface Scope {
  readonly outer: Scope | undefined;
  readonly mayLag: boolean;
  /** The client sends positions, and wants to know those of what it reads. */
  readonly isFollowing: boolean;
  readonly need: Position | undefined;
  reason: PrimaryReason | undefined;
  hasAsked: boolean;
  seen: Position | undefined;
}

/** How long it is remembered when the primary was at which position. */
const rememberedMs = 600_000;
/** Without an answer of the primary for so long, nobody knows its timeline. */
const primaryMsMax = 3_000;

export function openStandbys(options: StandbysOptions): Standbys {
  const { settings, poolSize, names, stalenessMs, metrics } = options;
  const scopes = new AsyncLocalStorage<Scope>();
  const standbys = readServers(options.connectionString).map((server) =>
    openStandby({
      name: new URL(server).host,
      createClient: createClientClass([server]),
      settings,
      poolSize,
      names,
    }),
  );
  /** The primary's states, oldest first. */
  const past: ServerState[] = [];
  const watch = watchServer(options.createPrimaryClient, (state) => {
    if (!state || state.isStandby) return;
    if (past.at(-1)?.system !== state.system || past.at(-1)?.position.timeline !== state.position.timeline) {
      past.length = 0;
    }
    past.push(state);
    while ((past[0]?.askedMs ?? 0) < state.askedMs - rememberedMs) past.shift();
  });
  let turn = 0;

  const problemOf = (standby: Standby): StandbyProblem | undefined => {
    const [state, primary] = [standby.state(), past.at(-1)];
    if (!state || !primary) return 'away';
    if (!state.isStandby) return 'primary';
    if (!standby.isThere() || performance.now() - primary.askedMs > primaryMsMax) return 'away';
    if (state.system !== primary.system) return 'foreign';
    return state.position.timeline === primary.position.timeline ? undefined : 'diverged';
  };

  const behind = (standby: Standby): Pick<StandbyFigures, 'behindMs' | 'behindBytes'> => {
    const [replayed, primary] = [standby.state()?.position.lsn, past.at(-1)];
    if (replayed === undefined || !primary) return { behindMs: undefined, behindBytes: undefined };
    const bytes = primary.position.lsn - replayed;
    const since = bytes <= 0n ? undefined : (past.findLast(({ position }) => position.lsn <= replayed) ?? past[0]);
    return {
      behindMs: since ? performance.now() - since.askedMs : 0,
      behindBytes: bytes > 0n ? Number(bytes) : 0,
    };
  };

  const figures = () =>
    standbys.map((each) => {
      const problem = problemOf(each);
      return { name: each.name, isUsable: problem === undefined, problem, ...behind(each) };
    });
  metrics.show(figures);

  /** The position that a request has to see, or why it is for the primary. */
  const needOf = ({ position, mayLag }: Following): Position | PrimaryReason => {
    if (!mayLag || position === latestPosition) return 'no-position';
    if (position !== undefined) return readPosition(position) ?? 'malformed';
    if (stalenessMs === undefined) return 'no-position';
    const from = performance.now() - stalenessMs;
    return past.find(({ askedMs }) => askedMs >= from)?.position ?? 'away';
  };

  /** One that has replayed the position, as far as known, before others; those in turn. */
  const choose = (need: Position): Standby | PrimaryReason => {
    turn += 1;
    const usable = standbys.filter((each) => problemOf(each) === undefined);
    const inTurn = usable.map((_, index) => usable[(turn + index) % usable.length] as Standby);
    const first = inTurn.find((each) => (each.state()?.position.lsn ?? 0n) >= need.lsn) ?? inTurn[0];
    if (!first) return 'away';
    // the lsn of a later timeline says nothing here
    return (first.state()?.position.timeline ?? 0) >= need.timeline ? first : 'behind';
  };

  const see = (scope: Scope | undefined, position: Position): void => {
    for (let each = scope; each; each = each.outer) {
      if (!each.seen || isLater(position, each.seen)) each.seen = position;
    }
  };

  const note = async (scope: Scope, connection: Connection): Promise<void> => {
    try {
      const { rows } = await connection.query(positionStatement);
      see(scope, toPosition(rows[0] as unknown as PositionRow));
    } catch {
      // the statement before says what is wrong; without a position the client keeps to the primary
    }
  };

  return {
    follow: (request, body) => {
      const need = needOf(request);
      const scope: Scope = {
        outer: scopes.getStore(),
        mayLag: request.mayLag,
        isFollowing: request.position !== undefined,
        need: typeof need === 'string' ? undefined : need,
        reason: typeof need === 'string' ? need : undefined,
        hasAsked: false,
        seen: undefined,
      };
      return scopes.run(scope, () => body(() => scope.seen && writePosition(scope.seen)));
    },
    async ask(text, values) {
      const scope = scopes.getStore();
      if (!scope?.mayLag) return undefined;
      if (scope.need && !scope.reason) {
        const chosen = choose(scope.need);
        const answer = typeof chosen === 'string' ? chosen : await chosen.ask(scope.need, text, values);
        if (typeof answer !== 'string') {
          scope.hasAsked = true;
          const state = typeof chosen === 'string' ? undefined : chosen.state();
          // another standby must not show less next time
          if (scope.isFollowing && state) see(scope, state.position);
          metrics.ran('standby');
          return answer;
        }
        // the statements of one request stay together
        scope.reason = answer;
      }
      metrics.ran(scope.reason ?? 'no-position');
      return undefined;
    },
    hasAsked: () => scopes.getStore()?.hasAsked ?? false,
    leave(reason) {
      const scope = scopes.getStore();
      if (scope) scope.reason ??= reason;
    },
    note(connection, isWrite) {
      const scope = scopes.getStore();
      return scope && (isWrite || scope.isFollowing) ? note(scope, connection) : undefined;
    },
    describe: () => ({ standbys: figures(), clockAheadMs: past.at(-1)?.clockAheadMs }),
    async close() {
      await Promise.all([watch.close(), ...standbys.map((each) => each.close())]);
    },
  };
}
