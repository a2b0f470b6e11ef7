import { Alert, Stack, Text } from '@mantine/core';
import type { UserInputs } from '@portolan/contract/action-inputs';
import type { SelfServiceTrigger } from '@portolan/contract/actions';
import { isRecord } from '@portolan/contract/json-value';
import { useMemo } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { useToast } from '../../kit/toasts.tsx';
import { plural, t } from '../../kit/translate.ts';
import { ActionForm } from '../action-form.tsx';
import { evaluateHere } from './local-form.ts';
import { peopleInWords } from './run-words.ts';

export type WorkflowRun = AnswerOf<'getWorkflowRun'>['run'];
export type NodeRun = WorkflowRun['nodeRuns'][number];

/** The node run at which a run waits for people. */
export function waitingInput({ nodeRuns }: WorkflowRun): NodeRun | undefined {
  return nodeRuns.find(({ status, waitingFor }) => status === 'IN_PROGRESS' && waitingFor === 'response');
}

/** The form of an `INPUT`, with its buttons, for those who may respond; for others, who is asked. */
export function RespondForm({ nodeRun, onDone }: { nodeRun: NodeRun; onDone?: () => void }) {
  const { identifier, responders, nodeTitle, node, input } = nodeRun;
  const { form, buttons, description } = useMemo(() => readInput(input), [input]);
  const refresh = useRefresh();
  const toast = useToast();
  const title = nodeTitle || node.identifier;
  const asked = responders && peopleInWords(responders);
  return (
    <Stack gap="sm">
      {description && (
        <Text dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
          {description}
        </Text>
      )}
      {responders?.buttons.map(({ identifier: name, needed, given }) =>
        needed > 1 ? (
          <Text key={name} size="sm" c="dimmed">
            {plural(needed, '{label}: {given} of {count} press', '{label}: {given} of {count} presses', {
              label: buttons.find((each) => each.identifier === name)?.label ?? name,
              given,
            })}
          </Text>
        ) : null,
      )}
      {responders?.mayRespond ? (
        <ActionForm
          key={identifier}
          action={identifier}
          trigger={{ type: 'self-service', operation: 'CREATE', userInputs: form } as SelfServiceTrigger}
          verb={t('Respond to {title}', { title })}
          buttons={buttons}
          isPlain
          evaluate={(values) => evaluateHere(form, values)}
          onSend={async (inputs, button) => {
            await call('respondToNodeRun', {
              params: { node_run_id: identifier },
              body: { buttonIdentifier: button ?? '', inputs },
            });
            toast(t('Your response was recorded'));
            await refresh(['getWorkflowRun', 'listWorkflowRuns', 'getWorkflowRunLogs']);
            onDone?.();
          }}
        />
      ) : (
        <Alert color="gray" title={t('Waits for a response of others')}>
          {asked || t('Administrators are asked.')}
        </Alert>
      )}
    </Stack>
  );
}

function readInput(input: unknown) {
  const given = isRecord(input) ? input : {};
  const written = isRecord(given['userInputs']) ? given['userInputs'] : given;
  const { buttons, ...form } = written as { buttons?: unknown };
  const known = Array.isArray(buttons) ? (buttons as { identifier: string; label?: string; variant?: string }[]) : [];
  const properties = (form as { properties?: unknown }).properties;
  return {
    form: { ...form, properties: isRecord(properties) ? properties : {} } as unknown as UserInputs,
    buttons: known.map(({ identifier, label, variant }) => ({
      identifier,
      label: label || identifier,
      ...(variant === 'DANGER' ? { color: 'red' as const } : {}),
    })),
    description: typeof given['description'] === 'string' ? given['description'] : undefined,
  };
}
