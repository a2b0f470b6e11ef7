import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { useConfirm } from '../../parts/confirm.tsx';
import { conflictQuestion } from '../../parts/conflict-question.tsx';
import { MappingEditor } from '../../parts/mapping/mapping-editor.tsx';
import { SaveBar } from '../../parts/save-bar.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useLeaveGuard } from '../../parts/use-leave-guard.ts';
import type { Webhook } from './webhook-values.ts';

/** The mappings of a webhook, tried on the events it received. */
export function WebhookMappings({
  webhook,
  onDelivery,
}: {
  webhook: Webhook;
  onDelivery: (delivery: string | undefined) => void;
}) {
  const { identifier, title } = webhook;
  const [base, setBase] = useState<unknown>(webhook.mappings ?? []);
  const [draft, setDraft] = useState<unknown>(base);
  const [isReadable, setReadable] = useState(true);
  const [round, setRound] = useState(0);
  const patch = useChange('patchWebhook', { staleAfter: ['getWebhook', 'listWebhooks'] });
  const toast = useToast();
  const sample = useSample(identifier);
  const confirm = useConfirm();
  const [isAsking, setAsking] = useState(false);
  const isDirty = !isReadable || JSON.stringify(draft) !== JSON.stringify(base);
  useLeaveGuard(isDirty, `the mappings of ${title}`);
  // while nothing is typed it follows what somebody else writes
  const latest = webhook.mappings ?? [];
  if (!isDirty && !patch.isPending && !isAsking && JSON.stringify(latest) !== JSON.stringify(base)) {
    setBase(latest);
    setDraft(latest);
  }
  const params = { webhook_identifier: identifier };
  const isWanted = async () => {
    const { integration: now } = await call('getWebhook', { params });
    const theirs = now.mappings ?? [];
    if (JSON.stringify(theirs) === JSON.stringify(base)) return true;
    return confirm(conflictQuestion({ name: title, by: now.updatedBy, base, theirs, mine: draft }));
  };
  const save = async () => {
    if (!isDirty || !isReadable || isAsking) return;
    setAsking(true);
    try {
      if (!(await isWanted())) return;
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
      return;
    } finally {
      setAsking(false);
    }
    try {
      const input = { params, body: { mappings: draft as never } };
      const { integration } = await patch.mutateAsync(input);
      // what the server makes of it, such as keys that were null
      setBase(integration.mappings ?? []);
      setDraft(integration.mappings ?? []);
      toast('The mappings were saved');
    } catch {
      // it is said below
    }
  };
  useCommands([{ id: 'mappings.save', label: 'Save the mappings', keys: 'mod+s', run: () => void save() }]);
  return (
    <>
      <Text c="dimmed" mb="md" size="sm">
        Every text is a JQ expression over body, headers and queryParams; blueprint is an identifier.
      </Text>
      <MappingEditor
        key={round}
        value={draft}
        label="Mappings"
        onChange={setDraft}
        onReadable={setReadable}
        holds="mappings of a webhook"
        picker={
          <Select
            aria-label="Event to try them on"
            placeholder="Choose an event"
            data={sample.choices}
            value={sample.chosen ?? null}
            onChange={(next) => onDelivery(next ?? undefined)}
            nothingFoundMessage="Nothing was let in yet"
          />
        }
        sample={sample.data}
        withoutSample="Send an event to the address above, or write one here: body, headers, queryParams."
      />
      {patch.error && <ErrorState error={patch.error} what="It was not saved" />}
      <SaveBar
        isDirty={isDirty}
        problem={isReadable ? undefined : 'The mappings have to be corrected first.'}
        isBusy={patch.isPending || isAsking}
        onSave={() => void save()}
        onDiscard={() => {
          setDraft(base);
          setReadable(true);
          setRound(round + 1);
          patch.reset();
        }}
      />
    </>
  );
}

/** The events that were let in; the latest unless the address names one. */
function useSample(webhook: string) {
  const [asked] = useUrlState('delivery');
  const params = { webhook_identifier: webhook };
  const list = useRead('listWebhookDeliveries', { params, query: { limit: 50 } }, { everyMs: 10_000 });
  const kept = (list.data?.deliveries ?? []).filter(({ state }) => state === 'processed' || state === 'failed');
  const [first, setFirst] = useState<string>();
  // a new event must not take away what somebody looks at
  if (first === undefined && kept[0]) setFirst(kept[0].id);
  const chosen = asked ?? first;
  const whole = useRead(
    'getWebhookDelivery',
    { params: { ...params, delivery_id: chosen ?? '' } },
    { isOn: chosen !== undefined },
  );
  const choices = kept.map(({ id, receivedAt, state, bytes }) => ({
    value: id,
    label: `${new Date(receivedAt).toLocaleString()} · ${state === 'failed' ? 'failed' : 'accepted'} · ${bytes} bytes`,
  }));
  if (asked && !kept.some(({ id }) => id === asked)) choices.push({ value: asked, label: asked });
  return { choices, chosen, data: whole.data?.delivery.payload ?? undefined };
}
