import type { InstallationCheck } from '@portolan/contract/operator';
import type { SeenReplica } from '../../platform/db/seen-replicas.ts';

/** Which releases serve: more than one is an upgrade under way, or one that was left halfway. */
export function judgeReplicas(replicas: readonly SeenReplica[]): InstallationCheck {
  const releases = [...new Set(replicas.map(({ release }) => release))];
  const counts = releases.map((each) => `${replicas.filter(({ release }) => release === each).length} of ${each}`);
  const told = counts.join(', ') || 'none has told yet that it lives';
  if (releases.length < 2) return { name: 'replicas', status: 'ok', message: told };
  const message = `Replicas of different releases serve together: ${told}. Finish the upgrade, or go back.`;
  return { name: 'replicas', status: 'warning', code: 'mixed_releases', message };
}
