import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { AnchorLink } from '../../frame/links.tsx';
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
    <Alert color={isDirect ? 'blue' : 'yellow'} title="From a relation to ownership">
      <Stack gap="xs" align="flex-start">
        {!isDirect && (
          <Text size="sm">
            {source.title} needs direct ownership first: then each entity can name the teams that own it.{' '}
            <AnchorLink underline="always" {...blueprintAddress(source.identifier)} search={{ tab: 'ownership' }}>
              Set direct ownership
            </AnchorLink>
          </Text>
        )}
        {relations.map(({ key, title }) => (
          <div key={key}>
            <Button size="xs" variant="default" disabled={!isDirect} onClick={() => onChoose(ownershipPreset(key))}>
              Copy relation {title} into ownership
            </Button>{' '}
            <Code>{JSON.stringify(ownershipPreset(key))}</Code>
          </div>
        ))}
        <Text size="sm" c="dimmed">
          The relation keeps its values; remove it when nothing needs it any more.
        </Text>
      </Stack>
    </Alert>
  );
}
