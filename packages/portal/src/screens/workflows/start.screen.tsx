import { Select, Text } from '@mantine/core';
import type { FormState } from '@portolan/contract/action-forms';
import type { UserInputs } from '@portolan/contract/action-inputs';
import type { SelfServiceTrigger } from '@portolan/contract/actions';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead, useRefresh } from '../../api/query.ts';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { EmptyState, Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { type FormValues, valuesOfAddress } from '../../parts/form-model.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { workflowRunAddress } from '../../parts/workflows/workflow-links.ts';

type Trigger = AnswerOf<'listSelfServiceTriggers'>['triggers'][number];

/** The form by which somebody starts a workflow. */
export function Screen() {
  const workflow = useParam('workflow');
  const reading = useRead('listSelfServiceTriggers');
  return (
    <Reading of={reading} isScreen skeleton={<TextSkeleton lines={8} />}>
      {({ triggers }) => (
        <Start workflow={workflow} triggers={triggers.filter((each) => each.workflowIdentifier === workflow)} />
      )}
    </Reading>
  );
}

function Start({ workflow, triggers }: { workflow: string; triggers: readonly Trigger[] }) {
  const [name, setName] = useUrlState('/workflows/$workflow/start', 'trigger');
  const trigger = triggers.find(({ nodeIdentifier }) => nodeIdentifier === name) ?? triggers[0];
  const title = trigger?.workflow.title || workflow;
  return (
    <>
      <PageHeader
        trail={[{ to: '/self-service', label: t('Self-service') }]}
        title={title}
        icon={trigger?.workflow.icon ?? ''}
        description={trigger?.workflow.description}
      />
      {trigger ? (
        <>
          {triggers.length > 1 && (
            <Select
              label={t('Form')}
              mb="md"
              maw={420}
              allowDeselect={false}
              data={triggers.map(({ nodeIdentifier, title: said }) => ({
                value: nodeIdentifier,
                label: said || nodeIdentifier,
              }))}
              value={trigger.nodeIdentifier}
              onChange={(next) => setName(next ?? undefined)}
            />
          )}
          {trigger.description && (
            <Text c="dimmed" mb="md" dir="auto">
              {trigger.description}
            </Text>
          )}
          <StartForm key={trigger.nodeIdentifier} trigger={trigger} />
        </>
      ) : (
        <EmptyState title={t('You cannot start this workflow')}>
          {t('The workflow has no published form, or its form is for others.')}
        </EmptyState>
      )}
    </>
  );
}

function StartForm({ trigger }: { trigger: Trigger }) {
  const { workflowIdentifier: identifier, nodeIdentifier, userInputs, executeActionButtonText, variant } = trigger;
  const navigate = useNavigate();
  const refresh = useRefresh();
  const search: FormValues = useSearch({ strict: false });
  // read once: the address changes meanwhile
  const [initial] = useState(() => {
    const { trigger: _, panel: __, ...values } = search;
    return valuesOfAddress(userInputs as unknown as UserInputs, values);
  });
  return (
    <ActionForm
      action={`${identifier} ${nodeIdentifier}`}
      trigger={{ type: 'self-service', operation: 'CREATE', userInputs } as unknown as SelfServiceTrigger}
      initial={initial}
      verb={executeActionButtonText || t('Start')}
      isDangerous={variant === 'ALERT'}
      takesFocus
      evaluate={async (inputs) => {
        const params = { identifier, node: nodeIdentifier };
        const { form } = await call('evaluateTriggerForm', { params, body: { inputs } });
        return form as FormState;
      }}
      onSend={async (inputs) => {
        const { run } = await call('startWorkflowRun', {
          params: { identifier },
          query: {},
          body: { inputs, nodeIdentifier },
        } as never);
        await refresh(['listWorkflowRuns']);
        await navigate(workflowRunAddress(run.identifier));
      }}
    />
  );
}
