import { Alert, Group, Text, Title } from '@mantine/core';
import { FlaskConical, MessageSquare } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { useParam } from '../../frame/url-state.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { Reading } from '../../kit/states.tsx';
import { duration } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { MakeWorkflow } from '../../parts/ai/make-workflow.tsx';
import { StreamedMarkdown } from '../../parts/ai/streamed-markdown.tsx';
import { Turn } from '../../parts/ai/turn.tsx';
import { PersonBadge, StatusBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Evidence } from './evidence.tsx';
import { parseMessages, readSteps, toTimeline } from './execution-log.ts';
import classes from './invocations.module.css';
import { Timeline } from './timeline.tsx';

type EvidenceAnswer = AnswerOf<'getInvocationEvidence'>['evidence'];

/** Everything stored about one question. */
export function Screen() {
  const id = useParam('invocation');
  const read = useRead('getInvocationEvidence', { params: { invocation_identifier: id } }, {});
  return (
    <Reading of={read} isScreen>
      {({ evidence }) => {
        const { invocation } = evidence;
        const isRunning = invocation.status === 'In Progress';
        return (
          <>
            <PageHeader
              title={invocation.prompt.split('\n', 1)[0] || id}
              trail={[{ to: '/ai/invocations', label: t('Invocations') }]}
              description={<Facts invocation={invocation} />}
              actions={
                <>
                  {!isRunning && (
                    <ButtonLink
                      to="/ai/new-case"
                      search={{ from: id }}
                      variant="default"
                      leftSection={<FlaskConical size={16} />}
                    >
                      {t('Keep as a case')}
                    </ButtonLink>
                  )}
                  {!isRunning && evidence.toolCalls.length > 0 && <MakeWorkflow invocation={id} />}
                  <ButtonLink to="/ai" search={{ c: id }} variant="default" leftSection={<MessageSquare size={16} />}>
                    {t('Open in the assistant')}
                  </ButtonLink>
                </>
              }
            />
            {isRunning ? (
              <Turn
                id={id}
                question={undefined}
                onChange={nothing}
                onStop={(stop) => {
                  if (!stop) void read.refetch();
                }}
                onAskAgain={nothing}
              />
            ) : (
              <Ended id={id} evidence={evidence} />
            )}
          </>
        );
      }}
    </Reading>
  );
}

function nothing(): void {}

function Facts({ invocation }: { invocation: EvidenceAnswer['invocation'] }) {
  const { status, askedBy, askedAt, repliedAt, agent, provider, model, labels, identifier } = invocation;
  return (
    <Group gap={8}>
      <StatusBadge status={status} />
      {askedBy?.includes('@') ? <PersonBadge email={askedBy} /> : askedBy && <span>{askedBy}</span>}
      <RelativeTime at={askedAt} />
      {repliedAt && <span>{duration(Date.parse(repliedAt) - Date.parse(askedAt))}</span>}
      {agent ? (
        <AnchorLink to="/ai/agents/$agent" params={{ agent }}>
          {agent}
        </AnchorLink>
      ) : (
        <span>{t('Assistant')}</span>
      )}
      <span>
        {provider} · {model}
      </span>
      {Object.entries(labels).map(([key, value]) => (
        <AnchorLink
          key={key}
          to="/ai/invocations"
          search={{ label: `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}` }}
        >
          {key}={typeof value === 'string' ? value : JSON.stringify(value)}
        </AnchorLink>
      ))}
      <code>{identifier}</code>
      <CopyValue value={identifier} what={t('the identifier')} />
    </Group>
  );
}

function Ended({ id, evidence }: { id: string; evidence: EvidenceAnswer }) {
  const { invocation } = evidence;
  const params = { blueprint_identifier: '_ai_invocations', entity_identifier: id };
  const entity = useRead('getEntity', { params });
  const result = useRead('getInvocation', { params: { invocation_identifier: id } });
  const totalMs = invocation.repliedAt ? Date.parse(invocation.repliedAt) - Date.parse(invocation.askedAt) : undefined;
  return (
    <div className={classes.stack}>
      {invocation.error && (
        <Alert color="red" title={t('The invocation failed')}>
          {invocation.error}
        </Alert>
      )}
      <Reading of={entity}>
        {({ entity: stored }) => {
          const properties = (stored.properties ?? {}) as Readonly<Record<string, unknown>>;
          const log = text(properties['execution_logs']);
          return (
            <>
              <div className={classes.columns}>
                <div className={classes.stack}>
                  <Block title={t('Prompt')}>
                    <StreamedMarkdown text={text(properties['prompt']) || invocation.prompt} />
                  </Block>
                  <Response text={text(properties['response'])} />
                </div>
                <div className={classes.stack}>
                  <Block title={t('Tools')}>
                    <Timeline calls={toTimeline(parseMessages(log))} totalMs={totalMs} />
                  </Block>
                  <Evidence runs={evidence.runs} />
                  <Block title={t('Usage')}>
                    <Usage usage={result.data?.result.usage} quota={properties['quota']} />
                  </Block>
                </div>
              </div>
              <Block title={t('Execution log')}>
                {log ? (
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
                  <pre className={classes.log} tabIndex={0}>
                    {readSteps(log) || t('No steps.')}
                  </pre>
                ) : (
                  <Text c="dimmed">{t('No log is kept.')}</Text>
                )}
                <Group mt="xs" gap="xs">
                  <EntityAnchor blueprint="_ai_invocations" identifier={id} title={t('As an entity')} />
                  {log && (
                    <>
                      <span>{t('Whole log')}</span>
                      <CopyValue value={log} what={t('the whole log')} />
                    </>
                  )}
                </Group>
              </Block>
            </>
          );
        }}
      </Reading>
    </div>
  );
}

function Block({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <section className={classes.card} aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </section>
  );
}

function Response({ text: answer }: { text: string }) {
  const [form, setForm] = useState('rendered');
  return (
    <Block
      title={t('Answer')}
      action={
        <SegmentedControl
          size="xs"
          aria-label={t('Form of the answer')}
          data={[
            { value: 'rendered', label: t('Rendered') },
            { value: 'raw', label: t('Raw') },
          ]}
          value={form}
          onChange={setForm}
        />
      }
    >
      {answer === '' ? (
        <Text c="dimmed">{t('There is none.')}</Text>
      ) : form === 'rendered' ? (
        <StreamedMarkdown text={answer} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
        <pre className={classes.log} tabIndex={0}>
          {answer}
        </pre>
      )}
    </Block>
  );
}

function Usage({ usage, quota }: { usage: AnswerOf<'getInvocation'>['result']['usage']; quota: unknown }) {
  const { remainingQuota, monthlyLimit, month } = (quota ?? {}) as Readonly<Record<string, unknown>>;
  const facts: [string, string][] = [
    ...(usage
      ? ([
          [
            t('Tokens'),
            t('{inputTokens} in, {outputTokens} out', {
              inputTokens: usage.inputTokens.toLocaleString(locale),
              outputTokens: usage.outputTokens.toLocaleString(locale),
            }),
          ],
          [t('Turns of the model'), String(usage.steps)],
          [t('Tool calls'), String(usage.toolCalls)],
        ] as [string, string][])
      : []),
    ...(typeof remainingQuota === 'number' && typeof monthlyLimit === 'number'
      ? ([
          [
            t('Quota of {month}', { month: String(month) }),
            t('{remainingQuota} of {monthlyLimit} were left after it', {
              remainingQuota: remainingQuota.toLocaleString(locale),
              monthlyLimit: monthlyLimit.toLocaleString(locale),
            }),
          ],
        ] as [string, string][])
      : []),
  ];
  if (facts.length === 0) return <Text c="dimmed">{t('Nothing is known.')}</Text>;
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
