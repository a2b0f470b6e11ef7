import { Stack, Text } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';

const words = {
  create: [t('New'), 'green'],
  extend: [t('Gets more'), 'blue'],
  none: [t('Stays as it is'), 'lightGray'],
} as const;

/** What an install makes of blueprints, and what it leaves out. */
export function InstallPlanView({ plan: { blueprints, leftOut } }: { plan: AnswerOf<'planInstall'>['plan'] }) {
  return (
    <Stack gap="xs">
      {blueprints.length === 0 && <Text c="dimmed">{t('No blueprint: its mapping names those that you have.')}</Text>}
      <ul aria-label={t('Blueprints that it needs')}>
        {blueprints.map(({ identifier, title, change, adds }) => (
          <li key={identifier}>
            {title} <code>{identifier}</code> <ColourBadge colour={words[change][1]}>{words[change][0]}</ColourBadge>
            {change === 'extend' && (
              <Text size="sm" c="dimmed">
                {adds.join(', ')}
              </Text>
            )}
          </li>
        ))}
      </ul>
      {leftOut.length > 0 && (
        <div>
          <Text fw={600}>{t('Left out')}</Text>
          <ul aria-label={t('Left out')}>
            {leftOut.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
      )}
    </Stack>
  );
}
