import { Alert, Checkbox, Select, Stack, Text, Title } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { type Issue, issueAt } from '../../kit/refusal.ts';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { ColourBadge, PersonBadge } from '../../parts/badges.tsx';
import { ConditionList } from '../../parts/condition-list.tsx';
import form from '../../parts/form.module.css';
import { GrantLists } from '../../parts/grant-lists.tsx';
import { StructuredField } from '../../parts/structured-field.tsx';
import { type Draft, formOnly } from './action-draft.ts';
import classes from './actions.module.css';
import { freshPolicies, type Grant, type Policy, type Rights, type Verb } from './rights.ts';
import { type Sample, useTrial } from './trial.ts';

interface RightsProps {
  readonly rights: Rights;
  readonly onChange: (rights: Rights) => void;
  readonly issues: readonly Issue[];
  readonly onProblem: (field: string, problem: string | undefined) => void;
}

/** Who may run and approve the action, with a test for a chosen user. */
export function RightsTab({ draft, sample, ...props }: RightsProps & { draft: Draft; sample: Sample }) {
  const { rights, onChange } = props;
  const { operation, blueprintIdentifier } = draft.trigger;
  const acts = operation !== 'CREATE' && Boolean(blueprintIdentifier);
  return (
    <div className={classes.columns}>
      <Stack gap="md">
        <GrantFields
          {...props}
          verb="execute"
          title={t('Who may run it')}
          text={t('Being named in one of these lists is enough.')}
        >
          <Checkbox
            label={t('Teams that own the entity')}
            description={acts ? undefined : t('This action has no entity, so this allows nobody')}
            checked={rights.execute.ownedByTeam}
            onChange={({ currentTarget }) =>
              onChange({ ...rights, execute: { ...rights.execute, ownedByTeam: currentTarget.checked } })
            }
          />
        </GrantFields>
        <GrantFields
          {...props}
          verb="approve"
          title={t('Who approves its runs')}
          text={draft.requiredApproval ? t('Administrators may in any case.') : t('No approval is required now.')}
        />
      </Stack>
      <Tester draft={draft} rights={rights} sample={sample} />
    </div>
  );
}

function GrantFields({
  rights,
  onChange,
  issues,
  onProblem,
  verb,
  title,
  text,
  children,
}: RightsProps & { verb: Verb; title: string; text: string; children?: React.ReactNode }) {
  const grant = rights[verb];
  const set = (changed: Grant) => onChange({ ...rights, [verb]: changed });
  const { policy } = grant;
  return (
    <section className={form.section} aria-label={title}>
      <div>
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      <GrantLists grant={grant} onChange={set} />
      {children}
      <Checkbox
        label={t('A policy decides')}
        description={
          verb === 'execute'
            ? t('The lists then say who sees it, and the policy who may run it')
            : t('Must return the email addresses of the approvers')
        }
        checked={policy !== null}
        onChange={({ currentTarget }) => {
          onProblem(t('{title}: queries', { title }), undefined);
          set({ ...grant, policy: currentTarget.checked ? freshPolicies[verb] : null });
        }}
      />
      {policy && (
        <PolicyFields
          verb={verb}
          policy={policy}
          issues={issues}
          onChange={(next) => set({ ...grant, policy: next })}
          onProblem={(problem) => onProblem(t('{title}: queries', { title }), problem)}
        />
      )}
    </section>
  );
}

function PolicyFields({
  verb,
  policy,
  issues,
  onChange,
  onProblem,
}: {
  verb: Verb;
  policy: Policy;
  issues: readonly Issue[];
  onChange: (policy: Policy) => void;
  onProblem: (problem: string | undefined) => void;
}) {
  const { conditions, queries } = policy;
  return (
    <>
      <StructuredField
        language="json"
        label={t('Queries')}
        description={t('Entities by name, as JSON. Templates see .action, .blueprint, .inputs, .entity and .trigger')}
        value={queries}
        error={issueAt(issues, verb, 'policy', 'queries')}
        onProblem={onProblem}
        onChange={(value) => onChange({ ...policy, queries: (isRecord(value) ? value : {}) as Policy['queries'] })}
      />
      <ConditionList
        conditions={conditions}
        onChange={(next) => onChange({ ...policy, conditions: [...next] })}
        description={
          verb === 'execute'
            ? t('One that is true lets them run it')
            : t('A list of addresses, from .results.<query>.entities')
        }
        placeholder={freshPolicies[verb].conditions[0] ?? ''}
        errorAt={(index) => issueAt(issues, verb, 'policy', 'conditions', String(index))}
        keepsOne
      />
    </>
  );
}

/** What a chosen user may do with the unsaved action. */
function Tester({ draft, rights, sample }: { draft: Draft; rights: Rights; sample: Sample }) {
  const users = useRead('listUsers');
  const [user, setUser] = useState<string>();
  const trial = useTrial(formOnly(draft), sample, { permissions: rights, user, isOn: user !== undefined });
  const test = trial.data?.test;
  return (
    <section className={surfaces.block} aria-label={t('Try as somebody')}>
      <Title order={2} size="h3">
        {t('Try as somebody')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('With these rights and what the preview of the form is filled with, saved or not.')}
      </Text>
      <Select
        label={t('As')}
        placeholder={t('Choose somebody')}
        searchable
        data={(users.data?.users ?? []).flatMap(({ email }) => (email ? [email] : []))}
        value={user ?? null}
        onChange={(next) => setUser(next ?? undefined)}
      />
      <Stack gap="xs" mt="md" role="status">
        {user !== undefined && trial.error && <Alert color="red">{trial.error.message}</Alert>}
        {user !== undefined && !trial.error && test && (
          <>
            <Answer isYes={test.isSeen} yes={t('Sees it')} no={t('Does not see it')} />
            <Answer isYes={test.form.mayRun} yes={t('May run it')} no={t('May not run it')} />
            {test.form.mayRun && test.form.approval && (
              <div>
                <Text size="sm">
                  {test.form.approval.type === 'ALL'
                    ? t('Then all of these must approve')
                    : t('Then one of these must approve')}
                </Text>
                {(test.form.approval.approvers ?? []).slice(0, 8).map((email) => (
                  <div key={email}>
                    <PersonBadge email={email} />
                  </div>
                ))}
                {(test.form.approval.approvers ?? []).length === 0 && (
                  <Text size="sm" c="dimmed">
                    {t('Nobody is named; administrators can.')}
                  </Text>
                )}
              </div>
            )}
            {test.problems.map((problem) => (
              <Text key={problem} size="sm" c="dimmed">
                {problem}
              </Text>
            ))}
          </>
        )}
      </Stack>
    </section>
  );
}

function Answer({ isYes, yes, no }: { isYes: boolean; yes: string; no: string }) {
  return (
    <div>
      <ColourBadge colour={isYes ? 'green' : 'red'}>{isYes ? yes : no}</ColourBadge>
    </div>
  );
}
