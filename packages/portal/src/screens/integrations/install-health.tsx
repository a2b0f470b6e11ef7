import type { AnswerOf } from '../../api/api.ts';
import { ColourBadge } from '../../parts/badges.tsx';

export type Install = AnswerOf<'listInstalls'>['installs'][number];

const words = {
  waiting: ['Waiting for the first data', 'blue'],
  live: ['Live', 'green'],
  late: ['Late', 'yellow'],
  silent: ['Silent', 'red'],
  failing: ['Failing', 'red'],
  'credential-revoked': ['Credentials revoked', 'red'],
} as const satisfies Record<Install['health'], readonly [string, string]>;

/** How an installed client is, in a word. */
export function InstallHealthBadge({ health }: { health: Install['health'] }) {
  const [label, colour] = words[health];
  return <ColourBadge colour={colour}>{label}</ColourBadge>;
}
