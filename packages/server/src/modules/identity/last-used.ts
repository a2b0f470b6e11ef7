import type { Database } from '../../platform/db/database.ts';
import { touchApiTokens } from './api-tokens/api-token.store.ts';
import { touchCredentials, type Use } from './credential-uses.store.ts';
import type { TokenKind, VerifiedToken } from './tokens.ts';

/** How stale the stored last use may be on other replicas. */
const flushMs = 60_000;
/** With more distinct tokens than this in a minute, the oldest are written early. */
const pendingMax = 10_000;

/** Last use of credentials and tokens, written in batches so that no request waits. */
export interface LastUsed {
  note(token: Pick<VerifiedToken, 'kind' | 'orgId' | 'id'>, at: Date): void;
  /** Writes what is pending; call before showing the moments. */
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface LastUsedDeps {
  readonly database: Database;
  readonly onProblem: (error: unknown) => void;
}

/** A killed process loses at most a minute; the moments only help people find unused credentials. */
export function createLastUsed({ database, onProblem }: LastUsedDeps): LastUsed {
  const pending: Record<TokenKind, Map<string, Use>> = { credential: new Map(), 'api-token': new Map() };
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  async function write(kind: TokenKind, touch: typeof touchCredentials): Promise<void> {
    const uses = [...pending[kind].values()];
    if (uses.length === 0) return;
    pending[kind].clear();
    try {
      await database.executeAlone(touch(uses));
    } catch (error) {
      for (const use of uses) if (!pending[kind].has(lastUsedKey(use))) pending[kind].set(lastUsedKey(use), use);
      throw error;
    }
  }

  async function writeAll(): Promise<void> {
    await write('credential', touchCredentials);
    await write('api-token', touchApiTokens);
  }

  const flush = async (): Promise<void> => {
    await flushing?.catch(() => undefined);
    flushing = writeAll();
    await flushing;
  };
  const flushQuietly = (): Promise<void> => flush().catch(onProblem);

  return {
    note({ kind, orgId, id }, at) {
      const use = { orgId, id, at };
      pending[kind].set(lastUsedKey(use), use);
      if (pending[kind].size >= pendingMax) void flushQuietly();
    },
    flush: flushQuietly,
    start() {
      timer ??= setInterval(() => void flushQuietly(), flushMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await flushQuietly();
    },
  };
}

function lastUsedKey({ orgId, id }: Use): string {
  return `${orgId}/${id}`;
}
