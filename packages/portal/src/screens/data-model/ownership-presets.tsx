import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { AnchorLink } from '../../frame/links.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { blueprintAddress } from './addresses.ts';
import type { Blueprint } from './blueprint-draft.ts';
import { type Mapping, ownershipPreset } from './mapping.ts';
import { teamRelations } from './relation-path.ts';

/** Offers to copy relations to teams into ownership, or states what has to be done first. */
export function OwnershipPresets({ source, onChoose }: { source: Blueprint; onChoose: (mapping: Mapping) => void }) {
  const relations = teamRelations(source);
  if (relations.length === 0) return null;
  const isDirect = source.ownership?.type === 'Direct';
  return (
    <Alert color={isDirect ? 'blue' : 'yellow'} title={t('From a relation to ownership')}>
      <Stack gap="xs" align="flex-start">
        {!isDirect && (
          <Text size="sm">
            <Sentence
              text="{title} needs direct ownership first: then each entity can name the teams that own it. <link>Set direct ownership</link>"
              values={{ title: source.title }}
              parts={{
                link: (
                  <AnchorLink
                    underline="always"
                    {...blueprintAddress(source.identifier)}
                    search={{ tab: 'ownership' }}
                  />
                ),
              }}
            />
          </Text>
        )}
        {relations.map(({ key, title }) => (
          <div key={key}>
            <Button size="xs" variant="default" disabled={!isDirect} onClick={() => onChoose(ownershipPreset(key))}>
              {t('Copy relation {title} into ownership', { title })}
            </Button>{' '}
            <Code>{JSON.stringify(ownershipPreset(key))}</Code>
          </div>
        ))}
        <Text size="sm" c="dimmed">
          {t('The relation keeps its values; remove it when nothing needs it any more.')}
        </Text>
      </Stack>
    </Alert>
  );
}
