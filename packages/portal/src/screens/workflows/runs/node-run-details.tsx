import { ActionIcon, Anchor, Group, Text, Title } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { X } from 'lucide-react';
import { CodeEditor } from '../../../kit/code-editor.tsx';
import { CopyValue } from '../../../kit/copy-value.tsx';
import { safeLink } from '../../../kit/safe-link.ts';
import { exact } from '../../../kit/time.ts';
import { t } from '../../../kit/translate.ts';
import { PersonBadge } from '../../../parts/badges.tsx';
import type { NodeRun } from '../../../parts/workflows/respond-form.tsx';
import { waitWords } from '../../../parts/workflows/run-words.ts';
import { findKind } from '../node-kinds.ts';
import { ChildRuns } from './child-runs.tsx';
import classes from './runs.module.css';

/** What a step was given, what it gave, and how it went. */
export function NodeRunDetails({ nodeRun, onClose }: { nodeRun: NodeRun; onClose: () => void }) {
  const { identifier, node, nodeTitle, nodeConfigType, input, output, message, links, responses = [] } = nodeRun;
  const title = nodeTitle || node.identifier;
  const facts: readonly (readonly [string, string | number | null | undefined])[] = [
    [t('Kind'), findKind(nodeConfigType).label],
    [t('Waits for'), waitWords(nodeRun.waitingFor)],
    [t('Created'), moment(nodeRun.createdAt)],
    [t('Began'), moment(nodeRun.startedAt)],
    [t('Ended'), moment(nodeRun.completedAt)],
    [t('Goes on at'), moment(nodeRun.dueAt)],
    [t('Attempt'), nodeRun.attempt > 1 ? nodeRun.attempt : undefined],
    [t('Tries'), nodeRun.tries > 0 ? nodeRun.tries : undefined],
    [t('Effect'), effects[nodeRun.effect]],
    [t('Way taken'), nodeRun.outlet],
    [t('Offered to'), nodeRun.installationId],
    [t('Taken by it'), moment(nodeRun.acknowledgedAt)],
    [t('External run'), nodeRun.externalRunId],
  ];
  return (
    <section className={classes.details} aria-label={t('Step {title}', { title })}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h3" dir="auto">
          {title}
        </Title>
        <ActionIcon size={32} aria-label={t('Close')} onClick={onClose}>
          <X size={16} />
        </ActionIcon>
      </Group>
      <Group gap={4}>
        <code>{identifier}</code>
        <CopyValue value={identifier} what={t('the id of the step')} />
      </Group>
      {message && (
        <Text c={nodeRun.result === 'FAILED' ? 'var(--danger)' : 'dimmed'} dir="auto">
          {message}
        </Text>
      )}
      <dl className={classes.facts}>
        {facts.flatMap(([word, value]) =>
          value === null || value === undefined
            ? []
            : [<dt key={`${word} word`}>{word}</dt>, <dd key={word}>{value}</dd>],
        )}
      </dl>
      {responses.length > 0 && (
        <section aria-label={t('Responses')}>
          <Title order={3} fz="sm">
            {t('Responses')}
          </Title>
          {responses.map(({ buttonIdentifier, submitterInfo, respondedAt, inputs }) => (
            <div key={submitterInfo.submittedBy}>
              <Group gap={6}>
                <PersonBadge email={submitterInfo.submittedBy} /> <code>{buttonIdentifier}</code>
                <Text size="sm" c="dimmed">
                  {moment(respondedAt)}
                </Text>
              </Group>
              {Object.keys(inputs).length > 0 && <Data label={t('Inputs')} value={inputs} />}
            </div>
          ))}
        </section>
      )}
      {links.length > 0 && (
        <ul>
          {links.map((link) => {
            const address = safeLink(link);
            return (
              <li key={link}>
                {address ? (
                  <Anchor href={address} target="_blank" rel="noreferrer noopener">
                    {link}
                  </Anchor>
                ) : (
                  link
                )}
              </li>
            );
          })}
        </ul>
      )}
      {nodeRun.children && <ChildRuns of={nodeRun.children} />}
      <Data label={t('Input')} value={input} />
      <Data label={t('Output')} value={output} />
    </section>
  );
}

const effects: Readonly<Record<string, string | undefined>> = {
  ours: t('Carried out once, here'),
  outside: t('Called at least once, with the same key'),
};

function moment(at: string | null): string | undefined {
  return at ? exact(new Date(at)) : undefined;
}

function Data({ label, value }: { label: string; value: unknown }) {
  const isEmpty = value === null || value === undefined || (isRecord(value) && Object.keys(value).length === 0);
  if (isEmpty) return null;
  return (
    <div>
      <Title order={3} fz="sm" mb={4}>
        {label}
      </Title>
      <CodeEditor value={JSON.stringify(value, null, 2)} language="json" label={label} maxHeight={320} />
    </div>
  );
}
