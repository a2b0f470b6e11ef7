import { Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import type { KeptCase, KeptRun, Outcome } from '@portolan/evaluation';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { StreamedMarkdown } from '../../parts/ai/streamed-markdown.tsx';
import { ColourBadge } from '../../parts/badges.tsx';
import { caseParams } from './evaluation-reads.ts';

const outcomes = {
  right: { colour: 'green', text: t('Right') },
  refused: { colour: 'yellow', text: t('Refused') },
  wrong: { colour: 'red', text: t('Wrong') },
  failed: { colour: 'red', text: t('Failed') },
  undecided: { colour: 'lightGray', text: t('Cannot tell') },
} as const satisfies Record<Outcome, object>;

/** Every case of a run with its outcome for each variant; one can be opened. */
export function CaseResults({ variants }: { variants: readonly KeptRun[] }) {
  const [open, setOpen] = useState<string>();
  const names = [...new Set(variants.flatMap(({ cases }) => cases.map((each) => each.case)))];
  if (names.length === 0) return <Text c="dimmed">{t('This run keeps no cases.')}</Text>;
  return (
    <ScrolledTable label={t('Cases')} minWidth={480}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Case')}</Table.Th>
          {variants.map(({ identifier, variant }) => (
            <Table.Th key={identifier}>{variant}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {names.map((name) => (
          <CaseRow
            key={name}
            name={name}
            variants={variants}
            isOpen={open === name}
            onToggle={() => setOpen(open === name ? undefined : name)}
          />
        ))}
      </Table.Tbody>
    </ScrolledTable>
  );
}

function CaseRow({
  name,
  variants,
  isOpen,
  onToggle,
}: {
  name: string;
  variants: readonly KeptRun[];
  isOpen: boolean;
  onToggle: () => void;
}) {
  const results = variants.map((variant) => ({ variant, found: variant.cases.find((each) => each.case === name) }));
  return (
    <>
      <Table.Tr>
        <Table.Th scope="row">
          <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={onToggle}>
            {name}
          </Button>
        </Table.Th>
        {results.map(({ variant, found }) => (
          <Table.Td key={variant.identifier}>{found ? <OutcomeBadge outcome={found.outcome} /> : '–'}</Table.Td>
        ))}
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={variants.length + 1}>
            <Stack gap="md" role="region" aria-label={t('Case {name}', { name })}>
              <Expected name={name} />
              {results.map(
                ({ variant, found }) => found && <Answer key={variant.identifier} variant={variant} found={found} />,
              )}
            </Stack>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  return <ColourBadge colour={outcomes[outcome].colour}>{outcomes[outcome].text}</ColourBadge>;
}

function Expected({ name }: { name: string }) {
  const read = useRead('getEntity', { params: { ...caseParams, entity_identifier: name } });
  return (
    <Reading of={read}>
      {({ entity }) => (
        <div>
          <Title order={3} size="h5">
            {t('Question')}
          </Title>
          <Text dir="auto">{String(entity.properties?.['question'] ?? '')}</Text>
          <Title order={3} size="h5" mt="xs">
            {t('Expected')}
          </Title>
          <Code block>{JSON.stringify(entity.properties?.['expect'] ?? [], null, 2)}</Code>
          <AnchorLink to="/ai/cases/$case" params={{ case: name }}>
            {t('Edit the case')}
          </AnchorLink>
          <Text size="sm" c="dimmed">
            {t('As the case is now; it may have been changed since the run.')}
          </Text>
        </div>
      )}
    </Reading>
  );
}

function Answer({ variant, found }: { variant: KeptRun; found: KeptCase }) {
  const [invocation, ...others] = found.invocations;
  return (
    <section aria-label={t('Answer of {variant}', { variant: variant.variant })}>
      <Group gap="xs">
        <Title order={3} size="h5">
          {variant.variant}
        </Title>
        <OutcomeBadge outcome={found.outcome} />
      </Group>
      {found.why !== '' && <Text size="sm">{found.why}</Text>}
      {invocation === undefined ? (
        <Text c="dimmed">{t('Its invocation was not kept.')}</Text>
      ) : (
        <Said invocation={invocation} />
      )}
      <Group gap="xs">
        {[...(invocation === undefined ? [] : [invocation]), ...others].map((id, index) => (
          <AnchorLink key={id} to="/ai/invocations/$invocation" params={{ invocation: id }}>
            {index === 0 ? t('Transcript') : t('Transcript {number}', { number: index + 1 })}
          </AnchorLink>
        ))}
      </Group>
    </section>
  );
}

function Said({ invocation }: { invocation: string }) {
  const read = useRead('getInvocation', { params: { invocation_identifier: invocation } });
  return (
    <Reading of={read}>
      {({ result }) =>
        result.message ? (
          <StreamedMarkdown text={result.message} />
        ) : (
          <Text c="dimmed">{result.error ?? t('The answer is empty.')}</Text>
        )
      }
    </Reading>
  );
}
