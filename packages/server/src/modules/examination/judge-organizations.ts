import type { InstallationCheck } from '@portolan/contract/operator';

interface Frozen {
  readonly id: string;
  readonly name: string;
  readonly frozenAt: Date | null;
}

/** Organizations that take no changes: they are being moved, or their move was left halfway. */
export function judgeOrganizations(frozen: readonly Frozen[]): InstallationCheck[] {
  if (frozen.length === 0) return [{ name: 'organizations', status: 'ok', message: 'all take changes' }];
  return frozen.map(({ id, name, frozenAt }) => ({
    name: 'organizations',
    status: 'warning',
    code: 'organization_frozen',
    message:
      `"${name}" (${id}) has taken no changes since ${frozenAt?.toISOString()}. Where its move is done, delete it here; ` +
      `where it is given up, let it take changes again: portolan org thaw ${id}`,
  }));
}
