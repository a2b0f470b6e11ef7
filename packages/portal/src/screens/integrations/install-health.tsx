import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';

export type Install = AnswerOf<'listInstalls'>['installs'][number];

const words = {
  waiting: [t('Waiting for the first data'), 'blue'],
  live: [t('Live'), 'green'],
  late: [t('Late'), 'yellow'],
  silent: [t('Silent'), 'red'],
  failing: [t('Failing'), 'red'],
  'credential-revoked': [t('Credentials revoked'), 'red'],
} as const satisfies Record<Install['health'], readonly [string, string]>;

/** How an installed client is, in a word. */
export function InstallHealthBadge({ health }: { health: Install['health'] }) {
  const [label, colour] = words[health];
  return <ColourBadge colour={colour}>{label}</ColourBadge>;
}
