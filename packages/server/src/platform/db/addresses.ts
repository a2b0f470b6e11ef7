import pg from 'pg';
import { DatabaseError } from './database-error.ts';

/** Of libpq's values, those that say what Portolan needs. */
const allowedTargets = ['read-write', 'any'];

/**
 * The servers of an address in libpq's form, one address each: `postgres://user@one:5432,two:5432/name`.
 * @throws TypeError with what is wrong, without the address, which holds a password
 */
export function readServers(address: string): readonly string[] {
  const [, before, hosts, after] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/.exec(address) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) {
    throw new TypeError('must be a postgresql:// address');
  }
  const servers = hosts.split(',').map((host) => {
    if (host === '' || !URL.canParse(`${before}${host}${after}`)) {
      throw new TypeError(`must name hosts as host:port, separated by commas`);
    }
    return new URL(`${before}${host}${after}`);
  });
  return servers.map((server) => {
    const target = server.searchParams.get('target_session_attrs');
    if (target !== null && !allowedTargets.includes(target)) {
      throw new TypeError(`takes ${allowedTargets.join(' or ')} as target_session_attrs`);
    }
    server.searchParams.delete('target_session_attrs');
    return server.href;
  });
}

/**
 * A client that connects to the server of a list that can be written to: a new one begins at the server that was good
 * last, and after a failure at the next. PostgreSQL says at the start of a session whether it is a standby.
 */
export function createClientClass(servers: readonly string[]): typeof pg.Client {
  let current = 0;
  const isAlone = servers.length === 1;
  return class extends pg.Client {
    readonly #place = current;
    #isReadOnly = false;

    constructor(settings: pg.ClientConfig = {}) {
      super({ ...settings, connectionString: servers[current] });
      const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
      connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
        if (!['in_hot_standby', 'default_transaction_read_only'].includes(parameterName)) return;
        if (parameterValue === 'on') this.#isReadOnly = true;
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): undefined;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (!callback) return connected;
      connected.then(() => (callback as () => void)(), callback);
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      try {
        await super.connect();
        if (isAlone || !this.#isReadOnly) return this;
        await super.end();
        throw new DatabaseError(`${this.host} takes no writes: it is a standby or read-only`, '08006');
      } catch (error) {
        // unless another client has gone on already
        if (current === this.#place) current = (current + 1) % servers.length;
        throw error;
      }
    }
  };
}
