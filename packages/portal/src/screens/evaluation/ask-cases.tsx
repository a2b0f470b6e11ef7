import { Alert, Button, Group, List, MultiSelect, Progress, Stack, TagsInput, Text } from '@mantine/core';
import type { KeptRun } from '@portolan/evaluation';
import { useEffect, useRef, useState } from 'react';
import { useRead, useRefresh } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { locale } from '../../kit/language.ts';
import { ErrorState } from '../../kit/states.tsx';
import { plural, t } from '../../kit/translate.ts';
import { useLeaveGuard } from '../../kit/use-leave-guard.ts';
import { askInBrowser, type BrowserProgress, planQuestions, questionsMax } from './ask-in-browser.ts';
import { dollars, evaluationReads, expectedCost } from './evaluation-reads.ts';

type CaseEntities = Parameters<typeof planQuestions>[0];

/** Asks cases from here, in the name of the person: what for and what it may cost is said before, and it can be stopped. */
export function AskCases({
  entities,
  runs,
  onClose,
  onDone,
}: {
  entities: CaseEntities;
  runs: readonly KeptRun[];
  onClose: () => void;
  onDone: (run: string) => void;
}) {
  const [tags, setTags] = useState<string[]>([]);
  const [agents, setAgents] = useState<string[]>([]);
  const [models, setModels] = useState<string[]>([]);
  const [progress, setProgress] = useState<BrowserProgress>();
  const [problem, setProblem] = useState<Error>();
  const [isStopped, setStopped] = useState(false);
  const leave = useRef<AbortController>(undefined);
  const refresh = useRefresh();
  const quota = useRead('getAiQuota');
  const known = useRead('listEntities', { params: { blueprint_identifier: '_ai_agent' } });
  const isAsking = progress !== undefined;
  useLeaveGuard(() => leave.current !== undefined, t('The evaluation'));
  useEffect(() => () => leave.current?.abort(), []);
  const plan = planQuestions(entities, { tags, agents, models });
  const left = quota.data?.monthlyQuotaUsage.remainingQuota;
  const isOver = plan.count > questionsMax || (left !== undefined && plan.count > left);

  const ask = async () => {
    leave.current = new AbortController();
    setProblem(undefined);
    setStopped(false);
    setProgress({ done: 0, all: plan.count, right: 0, costUsd: 0 });
    try {
      const run = await askInBrowser(plan, leave.current.signal, setProgress);
      leave.current = undefined;
      await refresh(evaluationReads);
      onDone(run);
    } catch (error) {
      if (leave.current?.signal.aborted) setStopped(true);
      else setProblem(error as Error);
    } finally {
      leave.current = undefined;
      setProgress(undefined);
    }
  };
  return (
    <Dialog
      opened
      onClose={() => {
        if (!isAsking) onClose();
      }}
      closeOnClickOutside={false}
      title={t('Ask the cases')}
      size="lg"
    >
      <Stack>
        <MultiSelect
          label={t('Tags')}
          description={t('Cases with one of these; all without any')}
          data={[...new Set(entities.flatMap(({ properties }) => listTags(properties?.['tags'])))].sort()}
          value={tags}
          onChange={setTags}
          disabled={isAsking}
        />
        <MultiSelect
          label={t('Agents to compare')}
          description={t('Each is asked every case; without any, whom the case names')}
          data={(known.data?.entities ?? []).map(({ identifier = '', title }) => ({
            value: identifier,
            label: title || identifier,
          }))}
          value={agents}
          onChange={setAgents}
          disabled={isAsking}
        />
        <TagsInput
          label={t('Models to compare')}
          description={t('As provider/model; without any, what is set up')}
          value={models}
          onChange={setModels}
          disabled={isAsking}
        />
        {plan.wrong.length > 0 && (
          <Alert color="yellow" title={t('These cases cannot be asked from here')}>
            <List size="sm">
              {plan.wrong.map((each) => (
                <List.Item key={each}>{each}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Text>
          {plural(plan.count, '{count} question of your quota.', '{count} questions of your quota.')}{' '}
          {left !== undefined && t('{left} are left this month.', { left: left.toLocaleString(locale) })}{' '}
          {costText(plan, runs)}
        </Text>
        <Text size="sm" c="dimmed">
          {t('Actions are only drafted, and the drafts declined: nothing is executed.')}
        </Text>
        {plan.count > questionsMax && (
          <Text c="var(--danger)" role="alert">
            {t('From here at most {max} questions are asked. Select fewer, or use “npx portolan eval”.', {
              max: questionsMax,
            })}
          </Text>
        )}
        {problem && <ErrorState error={problem} what={t('The evaluation could not be finished')} />}
        {isStopped && (
          <Alert color="yellow" role="status">
            {t('Stopped. No run was kept; what was answered is among the invocations.')}
          </Alert>
        )}
        {progress && (
          <>
            <Progress value={(progress.done / Math.max(1, progress.all)) * 100} aria-label={t('Answered')} />
            <Text role="status">
              {t('{done} of {all} answered, {right} right, {cost}', {
                done: progress.done,
                all: progress.all,
                right: progress.right,
                cost: dollars(progress.costUsd),
              })}
            </Text>
          </>
        )}
        <Group>
          {isAsking ? (
            <Button color="red" onClick={() => leave.current?.abort()}>
              {t('Stop')}
            </Button>
          ) : (
            <Button disabled={plan.count === 0 || isOver} onClick={() => void ask()}>
              {plural(plan.count, 'Ask {count} question', 'Ask {count} questions')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function listTags(tags: unknown): string[] {
  return Array.isArray(tags) ? tags.map(String) : [];
}

function costText(plan: ReturnType<typeof planQuestions>, runs: readonly KeptRun[]): string {
  const costs = plan.variants.map(({ name }) => expectedCost(runs, name));
  if (costs.some((cost) => cost === undefined)) return t('The cost is not known: no earlier run says it.');
  const cost = costs.reduce<number>((sum, each) => sum + (each ?? 0) * plan.cases.length, 0);
  const told = t('The cost is about {cost}, going by earlier runs.', { cost: dollars(cost) });
  return plan.judges > 0 ? `${told} ${t('Judges are asked and paid besides.')}` : told;
}
