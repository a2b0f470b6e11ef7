import { Button, Group, Select } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import classes from './integrations.module.css';

type Delivery = AnswerOf<'listWebhookDeliveries'>['deliveries'][number];
type State = Delivery['state'];

const states: Readonly<Record<State, { readonly word: string; readonly colour: string }>> = {
  processed: { word: t('Accepted'), colour: 'green' },
  failed: { word: t('Failed'), colour: 'red' },
  refused: { word: t('Refused'), colour: 'red' },
  dropped: { word: t('Dropped'), colour: 'darkGray' },
  waiting: { word: t('Waiting'), colour: 'lightGray' },
  running: { word: t('Being mapped'), colour: 'blue' },
};

/** The latest events of a webhook, each with why it was accepted or refused, and its outcome. */
export function Deliveries({ identifier, onTry }: { identifier: string; onTry: (delivery: string) => void }) {
  const [state, setState] = useUrlState('/builder/sources/webhooks/$webhook', 'state');
  const reading = useRead(
    'listWebhookDeliveries',
    { params: { webhook_identifier: identifier }, query: { limit: 50, ...(state ? { state } : {}) } },
    { everyMs: 5_000, keepsPrevious: true },
  );
  return (
    <>
      <Group mb="sm">
        <Select
          aria-label={t('State')}
          placeholder={t('Any state')}
          data={Object.entries(states).map(([value, { word }]) => ({ value, label: word }))}
          value={state ?? null}
          clearable
          clearButtonProps={{ 'aria-label': t('Any state') }}
          onChange={(next) => setState((next ?? undefined) as State | undefined)}
        />
      </Group>
      <Reading of={reading}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <EmptyState title={state ? t('No event is in this state') : t('Nothing has arrived yet')}>
              {state ? undefined : t('Send an event to the address above; it appears here within seconds.')}
            </EmptyState>
          ) : (
            <ul className={surfaces.list} aria-label={t('Deliveries')}>
              {deliveries.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} webhook={identifier} onTry={onTry} />
              ))}
            </ul>
          )
        }
      </Reading>
    </>
  );
}

function Row({ delivery, webhook, onTry }: { delivery: Delivery; webhook: string; onTry: (delivery: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const params = { webhook_identifier: webhook, delivery_id: delivery.id };
  const replay = useChange('replayWebhookDelivery', { staleAfter: ['listWebhookDeliveries'] });
  const whole = useRead('getWebhookDelivery', { params }, { isOn: isOpen });
  const attempt = useAttempt();
  const { word, colour } = states[delivery.state];
  // the payload of a refused event is not stored
  const isKept = delivery.state === 'processed' || delivery.state === 'failed';
  const replayIt = () => attempt(() => replay.mutateAsync({ params }), t('The event is being mapped again'));
  return (
    <li className={surfaces.item}>
      <div className={classes.itemText}>
        <ColourBadge colour={colour}>{word}</ColourBadge>{' '}
        <Sentence
          text="<time/> · {bytes} bytes{word}"
          values={{ bytes: delivery.bytes.toLocaleString(locale), word: delivery.replayOf ? ' · replayed' : '' }}
          parts={{ time: <RelativeTime at={delivery.receivedAt} /> }}
        />
        {delivery.reason && <div className={surfaces.detail}>{delivery.reason}</div>}
        {delivery.results.map((result) => (
          <MappingOutcome key={result.mapping} result={result} />
        ))}
      </div>
      {isKept && (
        <Group gap={4}>
          <Button
            size="xs"
            variant="default"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            aria-label={`${isOpen ? t('Hide') : t('Show')} ${delivery.id}`}
          >
            {isOpen ? t('Hide') : t('Show')}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => onTry(delivery.id)}
            aria-label={t('Try mappings on {id}', { id: delivery.id })}
          >
            {t('Try mappings')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={replay.isPending}
            aria-label={t('Replay {id}', { id: delivery.id })}
            onClick={() => void replayIt()}
          >
            {t('Replay')}
          </Button>
        </Group>
      )}
      {isOpen && (
        <div className={classes.whole}>
          <Reading of={whole}>
            {({ delivery: { payload } }) => (
              <CodeEditor language="json" label={t('What was received')} value={JSON.stringify(payload, null, 2)} />
            )}
          </Reading>
        </div>
      )}
    </li>
  );
}

const verdicts = { applied: 'applied', filtered: t('passed over'), partial: 'in part', failed: 'failed' } as const;

function MappingOutcome({ result }: { result: Delivery['results'][number] }) {
  const { blueprint, verdict, reason, issues, warnings = [] } = result;
  const counts = (['created', 'updated', 'deleted', 'skipped', 'failed'] as const).flatMap((key) =>
    result[key] > 0 ? [`${result[key].toLocaleString(locale)} ${key}`] : [],
  );
  return (
    <div className={surfaces.detail}>
      {[`${blueprint}: ${verdicts[verdict]}`, reason, ...counts].filter(Boolean).join(' · ')}
      {issues.length > 0 && (
        <ul className={classes.issues}>
          {issues.map(({ item, entity, message }) => (
            <li key={`${item} ${message}`}>
              {entity ? `${entity}: ` : ''}
              {message}
            </li>
          ))}
        </ul>
      )}
      {warnings.length > 0 && (
        <ul className={classes.issues} aria-label={t('Warnings')}>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
