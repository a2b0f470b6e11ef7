import { ConfigError } from './config.ts';
import { DatabaseError } from './platform/db/database-error.ts';
import { FolderInUseError } from './platform/db/folder-lock.ts';
import { StartError } from './platform/start-error.ts';

/** What the system says of a file or an address, and what the operator does about it. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: 'may not be used by this user. Give it the right, or name another',
  EPERM: 'may not be used by this user. Give it the right, or name another',
  EROFS: 'is on a file system that cannot be written. Name another',
  EEXIST: 'is not a folder. Move it away, or name another',
  ENOTDIR: 'is not a folder, or is below something that is none. Move that away, or name another',
  ENOSPC: 'is on a file system that is full. Make room, or name another',
  EADDRINUSE: 'is in use by another process. Stop that process, or choose another',
  EADDRNOTAVAIL: 'is no address of this machine. Choose another',
};

/** Why the start cannot go on: a sentence with what to do, and a stack only for a defect of ours. */
export function explainStart(error: unknown): string {
  if (error instanceof ConfigError || error instanceof FolderInUseError || error instanceof StartError) {
    return error.message;
  }
  if (error instanceof DatabaseError) return explainDatabase(error);
  return explainSystem(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function explainDatabase({ message, code }: DatabaseError): string {
  if (!/^(XX|58)/.test(code)) return message;
  return damagedDatabase(`${message} (${code})`);
}

/** The words for a database whose files are not what they were. */
function damagedDatabase(reason: string): string {
  return (
    `The database is damaged: ${reason}. Restore it from a backup; if there is none and it holds nothing of worth, move ` +
    'it away to begin anew.'
  );
}

function explainSystem(error: unknown): string | undefined {
  const {
    code = '',
    path,
    syscall,
    address,
    port,
  } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const remedy = remedies[code];
  if (remedy === undefined) return undefined;
  if (syscall === 'listen' || syscall === 'bind')
    return `${address ?? 'The address'} port ${port} ${remedy} in HOST and PORT.`;
  return path === undefined ? undefined : `${path} ${remedy} in PORTOLAN_DATA_DIR.`;
}
