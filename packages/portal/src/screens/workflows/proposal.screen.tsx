import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useChange, useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { useParam } from '../../frame/url-state.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Reading } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { useLeaveGuard } from '../../kit/use-leave-guard.ts';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { PersonBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProposalState, proposalTitle, type WorkflowProposal } from '../../parts/workflows/proposal-card.tsx';
import { workflowAddress } from '../../parts/workflows/workflow-links.ts';
import { WorkflowBuilder } from './builder/builder.tsx';
import { TestResult } from './builder/test-result.tsx';
import { useWorkflowDraft } from './builder/use-workflow-draft.ts';
import { DismissProposal } from './dismiss-proposal.tsx';
import type { Definition } from './document/definition.ts';
import { Changes } from './versions/versions.tsx';
import { toDefinition } from './workflow-things.ts';

const stale = [
  'listWorkflows',
  'getWorkflow',
  'listWorkflowVersions',
  'listWorkflowProposals',
  'getWorkflowProposal',
] as const;

/** A workflow that an assistant proposed: what it would change, how its test went, and the builder to go on with it. */
export function Screen() {
  const reading = useRead('getWorkflowProposal', { params: { proposal: useParam('proposal') } });
  return (
    <Reading of={reading} isScreen>
      {({ proposal }) => <Shown key={`${proposal.identifier} ${proposal.state}`} proposal={proposal} />}
    </Reading>
  );
}

/** One proposal. */
export function Shown({ proposal }: { proposal: WorkflowProposal }) {
  const { identifier, state, goal, createdAt, createdBy, expiresAt, questions, warnings, test, textAuthors } = proposal;
  const proposed = proposal.definition as unknown as Definition;
  const isOpen = state === 'OPEN';
  return (
    <>
      <PageHeader
        title={proposalTitle(proposal)}
        trail={[{ to: '/workflows', label: t('Workflows') }]}
        description={
          <Group gap={6}>
            <ProposalState state={state} /> <PersonBadge email={createdBy} /> · <RelativeTime at={createdAt} />
            {isOpen && (
              <>
                {' '}
                · {t('Expires')} <RelativeTime at={expiresAt} />
              </>
            )}
          </Group>
        }
        actions={isOpen && <DismissProposal proposal={identifier} />}
      />
      <Stack gap="md">
        <Text dir="auto">{goal}</Text>
        {proposal.obstacle && <Alert color="yellow">{proposal.obstacle}</Alert>}
        {textAuthors.some((author) => author === 'outside' || author === '*') && (
          <Alert color="yellow" title={t('Texts from outside led to this')}>
            {t(
              'The proposal was drawn up from texts that were not written by people here alone. Look at every address and every step.',
            )}
          </Alert>
        )}
        {questions.length > 0 && (
          <Alert title={t('To be answered first')}>
            <ul>
              {questions.map((question) => (
                <li key={question} dir="auto">
                  {question}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        {warnings.length > 0 && (
          <Alert color="yellow" title={t('Noticed by the check')}>
            {warnings.map(({ path, message }) => (
              <div key={`${path} ${message}`}>
                <code>{path}</code> {message}
              </div>
            ))}
          </Alert>
        )}
        <section aria-labelledby="proposal-test">
          <Title order={2} size="h4" id="proposal-test" mb="xs">
            {t('Test with a sample')}
          </Title>
          {test ? (
            <TestResult test={test} draft={proposed} />
          ) : (
            <Text size="sm">{t('Not tested yet. Test the proposal in the builder.')}</Text>
          )}
        </section>
        {proposal.baseVersion !== null && <Difference proposal={proposal} proposed={proposed} />}
        {isOpen ? <Decide proposal={proposal} proposed={proposed} /> : <Outcome proposal={proposal} />}
      </Stack>
    </>
  );
}

/** What it would change of the workflow as it is now. */
function Difference({ proposal, proposed }: { proposal: WorkflowProposal; proposed: Definition }) {
  const current = useRead('getWorkflow', { params: { identifier: proposal.workflow.identifier } });
  return (
    <section aria-labelledby="proposal-changes">
      <Title order={2} size="h4" id="proposal-changes">
        {t('Changes')}
      </Title>
      <Reading of={current}>{({ workflow }) => <Changes before={toDefinition(workflow)} after={proposed} />}</Reading>
    </section>
  );
}

/** The proposal as an unsaved draft: saving it accepts it, as it stands there. */
function Decide({ proposal, proposed }: { proposal: WorkflowProposal; proposed: Definition }) {
  const accept = useChange('acceptWorkflowProposal', { staleAfter: [...stale] });
  const definition = useWorkflowDraft(proposed);
  const current = useRead(
    'getWorkflow',
    { params: { identifier: proposal.workflow.identifier } },
    { isOn: proposal.baseVersion !== null },
  );
  // the version whose difference is shown, not one that is saved later
  const seen = useRef<number>(undefined);
  seen.current ??= current.data?.workflow.version;
  const mayAccept = useMay('acceptWorkflowProposal');
  const navigate = useNavigate();
  const toast = useToast();
  useLeaveGuard(definition.isDirty && !accept.isPending && !accept.isSuccess, proposalTitle(proposal));
  const save = (draft: Definition) => {
    const expected = proposal.baseVersion === null ? undefined : seen.current;
    const body = { definition: draft, ...(expected === undefined ? {} : { expectedVersion: expected }) };
    accept.mutate({ params: { proposal: proposal.identifier }, body } as never, {
      onSuccess: () => {
        toast(t('{title} was saved', { title: draft.title || draft.identifier }));
        void navigate(workflowAddress(draft.identifier));
      },
    });
  };
  return (
    <section aria-labelledby="proposal-steps">
      <Title order={2} size="h4" id="proposal-steps">
        {t('Accept it')}
      </Title>
      <Text size="sm" mb="xs">
        {t('Save it as it is, or change it first. Its new triggers are not published: that is a step of its own.')}
      </Text>
      <ReadOnly permit={mayAccept} to={t('accept proposed workflows')}>
        <WorkflowBuilder
          definition={definition}
          isNew
          isBusy={accept.isPending || accept.isSuccess}
          error={accept.error}
          onReset={accept.reset}
          onSave={save}
        />
      </ReadOnly>
    </section>
  );
}

function Outcome({ proposal }: { proposal: WorkflowProposal }) {
  const { state, decidedBy, comment, workflow } = proposal;
  return (
    <Text component="div" role="status">
      {state === 'ACCEPTED' ? (
        <AnchorLink {...workflowAddress(workflow.identifier)}>{t('Accepted: see the workflow')}</AnchorLink>
      ) : (
        t('Nothing came of it.')
      )}
      {decidedBy && (
        <>
          {' '}
          <PersonBadge email={decidedBy} />
        </>
      )}
      {comment && <div dir="auto">{comment}</div>}
    </Text>
  );
}
