import { Code, Group, Text } from '@mantine/core';
import type { ReceiptRecord } from '@portolan/contract/receipts';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { DiffView } from '../../kit/diff-view.tsx';
import { Popover } from '../../kit/popover.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { plural, t } from '../../kit/translate.ts';
import { EntityAnchor, entityAddress } from '../entity-anchor.tsx';
import classes from './ai.module.css';

/** The number of a record that a sentence rests on. It opens the record as it was read. */
export function ReceiptChip({ number, record }: { number: number; record: ReceiptRecord }) {
  const [isOpen, setOpen] = useState(false);
  const name = nameRecord(record);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <button
          type="button"
          className={classes.receipt}
          aria-label={t('Source {number}: {name}', { number, name })}
          title={name}
          onClick={() => setOpen(!isOpen)}
        >
          {number}
        </button>
      </Popover.Target>
      <Popover.Dropdown maw="min(480px, 94vw)" mah="60vh" style={{ overflow: 'auto' }}>
        {isOpen && <ReceiptCard record={record} name={name} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function nameRecord({ kind, title, identifier, tool = '' }: ReceiptRecord): string {
  if (kind === 'hidden') return t('a record you may not read');
  if (kind === 'figures') return t('figures of {tool}', { tool });
  if (kind === 'answer') return t('the answer of {tool}', { tool });
  if (kind === 'document') return title ?? t('the documentation');
  return title ?? identifier ?? tool;
}

const entities = { person: '_user', team: '_team' } as const;

/** The record as it was: the fields that sentences rest on, when it was read, and what changed since. */
function ReceiptCard({ record, name }: { record: ReceiptRecord; name: string }) {
  const { kind, identifier, tool, readAt, invocation, fields = [], values = {} } = record;
  const blueprint = kind === 'person' || kind === 'team' ? entities[kind] : record.blueprint;
  const isThing = blueprint !== undefined && identifier !== undefined;
  return (
    <div className={classes.receiptCard}>
      <Text fw={600} size="sm">
        {isThing ? <Thing {...{ blueprint, identifier, readAt }} name={name} /> : name}
      </Text>
      {fields.length > 0 && (
        <dl className={classes.inputs}>
          {fields.map((field) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd dir="auto">{values[field] || t('(empty)')}</dd>
            </div>
          ))}
        </dl>
      )}
      {readAt && tool && (
        <Text size="xs" c="dimmed">
          {invocation === undefined ? (
            <Sentence
              text="Read <time/> with <tool/>"
              parts={{ time: <RelativeTime at={readAt} />, tool: <Code>{tool}</Code> }}
            />
          ) : (
            <Sentence
              text="Read for an earlier question <time/> with <tool/>"
              parts={{ time: <RelativeTime at={readAt} />, tool: <Code>{tool}</Code> }}
            />
          )}
        </Text>
      )}
      {isThing && readAt && <ChangesSince blueprint={blueprint} identifier={identifier} readAt={readAt} />}
    </div>
  );
}

interface ThingProps {
  readonly blueprint: string;
  readonly identifier: string;
  readonly name: string;
  readonly readAt: string | undefined;
}

/** Leads to the record as it was when it was read. Of people and teams only the present is shown. */
function Thing({ blueprint, identifier, name, readAt }: ThingProps) {
  if (readAt === undefined || blueprint === '_user' || blueprint === '_team')
    return <EntityAnchor blueprint={blueprint} identifier={identifier} title={name} />;
  const address = entityAddress(blueprint, identifier);
  return (
    <Group gap="xs">
      <AnchorLink {...address} search={{ as_of: readAt }} title={identifier} inherit dir="auto">
        {name}
      </AnchorLink>
      <AnchorLink {...address} size="xs" fw={400}>
        {t('As it is now')}
      </AnchorLink>
    </Group>
  );
}

const changesMax = 10;

function ChangesSince({ blueprint, identifier, readAt }: { blueprint: string; identifier: string; readAt: string }) {
  const query = { entity: identifier, blueprint, from: readAt, status: 'SUCCESS', limit: changesMax };
  const { data, error } = useRead('getAuditLog', { query });
  // the audit log is not for everybody, and says nothing of what is gone
  if (error) return null;
  if (!data) return <Text size="xs">{t('Looking for changes since')}</Text>;
  const { audits, next } = data;
  if (audits.length === 0) return <Text size="xs">{t('Not changed since')}</Text>;
  return (
    <>
      <Text size="xs" fw={600}>
        {next === undefined
          ? plural(audits.length, '{count} change since', '{count} changes since')
          : t('More than {count} changes since', { count: audits.length })}
      </Text>
      {audits.map(({ identifier: id, diff }) => diff && <DiffView key={id} before={diff.before} after={diff.after} />)}
    </>
  );
}
