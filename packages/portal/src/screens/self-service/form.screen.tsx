import { Button, CopyButton, Text, Title } from '@mantine/core';
import type { SelfServiceTrigger } from '@portolan/contract/actions';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead, useRefresh } from '../../api/query.ts';
import { buildHref } from '../../frame/link-target.ts';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { EmptyState, Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { ActionForm, formTrigger } from '../../parts/action-form.tsx';
import { ActionMenu } from '../../parts/actions/action-menu.tsx';
import { approversInWords } from '../../parts/approvers-in-words.ts';
import { PersonBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { EntityPicker } from '../../parts/entity-picker.tsx';
import { type FormValues, valuesOfAddress, withoutSecrets } from '../../parts/form-model.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { formAddress, runAddress } from '../../parts/run-things.ts';
import classes from './self-service.module.css';

type Action = AnswerOf<'getAction'>['action'];

/** The form of an action, prefilled from the link. */
export function Screen() {
  const identifier = useParam('action');
  const action = useRead('getAction', { params: { action_identifier: identifier } });
  return (
    <Reading of={action} isScreen skeleton={<TextSkeleton lines={10} />}>
      {(answer) => {
        const trigger = formTrigger(answer.action.trigger);
        if (!trigger) {
          return (
            <>
              <PageHeader title={answer.action.title || identifier} icon={answer.action.icon ?? ''} />
              <EmptyState title={t('This is an automation')}>
                {t('Automations run when something changes. You cannot start them here.')}
              </EmptyState>
            </>
          );
        }
        return <FormScreen key={identifier} action={answer.action} trigger={trigger} />;
      }}
    </Reading>
  );
}

function FormScreen({ action, trigger }: { action: Action; trigger: SelfServiceTrigger }) {
  const { identifier } = action;
  const search: FormValues = useSearch({ strict: false });
  const [target, setTarget] = useUrlState('/self-service/$action', 'entity');
  const entity = target === undefined ? undefined : String(target);
  const blueprint = trigger.operation === 'CREATE' ? undefined : (trigger.blueprintIdentifier ?? undefined);
  const form = trigger.userInputs;
  // read the link once: it also changes as the user types
  const [typed, setTyped] = useState<FormValues>(() => {
    const { entity: given, panel: _, ...rest } = search;
    return valuesOfAddress(form, !blueprint && 'entity' in form.properties ? { ...rest, entity: given } : rest);
  });
  const start = useStart(action, trigger, blueprint, entity);
  const link = formAddress(identifier, withoutSecrets(form, typed), entity);
  const verb = trigger.executeActionButtonText || (action.requiredApproval ? t('Request approval') : t('Run'));
  return (
    <>
      <PageHeader
        trail={[{ to: '/self-service', label: t('Self-service') }]}
        title={action.title || identifier}
        icon={action.icon ?? ''}
        favorite={{ kind: 'action', identifier }}
        description={action.description}
        actions={
          <>
            <CopyButton value={location.origin + buildHref(link)} timeout={2000}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? t('Copied') : t('Copy link with these values')}
                </Button>
              )}
            </CopyButton>
            <ActionMenu action={action} />
          </>
        }
      />
      <div className={classes.layout}>
        <div>
          {blueprint && <Target blueprint={blueprint} trigger={trigger} entity={entity} onChoose={setTarget} />}
          {(!blueprint || entity !== undefined) && (
            <ActionForm
              key={entity ?? ''}
              action={identifier}
              trigger={trigger}
              entity={blueprint ? entity : undefined}
              initial={typed}
              verb={verb}
              isDangerous={trigger.operation === 'DELETE'}
              takesFocus
              onSend={start}
              onTyped={setTyped}
            />
          )}
        </div>
        <WhatHappens action={action} trigger={trigger} entity={blueprint ? entity : undefined} />
      </div>
    </>
  );
}

/** Starts the run and opens its screen; a deletion is confirmed first. */
function useStart(
  action: Action,
  trigger: SelfServiceTrigger,
  blueprint: string | undefined,
  entity: string | undefined,
) {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const confirm = useConfirm();
  return async (properties: FormValues) => {
    const title = action.title || action.identifier;
    if (trigger.operation === 'DELETE') {
      const isSure = await confirm({
        title: `${title}: ${entity ?? ''}`,
        consequence: action.requiredApproval
          ? t('This sends an approval request. After approval, "{entity}" of {blueprint} is deleted.', {
              entity,
              blueprint,
            })
          : t('"{entity}" of {blueprint} will be deleted. This cannot be undone.', { entity, blueprint }),
        verb: trigger.executeActionButtonText || t('Delete'),
      });
      if (!isSure) return;
    }
    const { run } = await call('startRun', {
      params: { action_identifier: action.identifier },
      query: { version: 'v2' },
      body: { properties, ...(blueprint && entity ? { entity } : {}) },
    });
    await refresh(['listRuns']);
    await navigate(runAddress(run.id));
  };
}

/** The entity that the action acts on: chosen here unless the link names one. */
function Target({
  blueprint,
  trigger,
  entity,
  onChoose,
}: {
  blueprint: string;
  trigger: SelfServiceTrigger;
  entity: string | undefined;
  onChoose: (entity: string | undefined, options?: { isStep?: boolean }) => void;
}) {
  const params = { blueprint_identifier: blueprint, entity_identifier: entity ?? '' };
  const found = useRead('getEntity', { params }, { isOn: entity !== undefined });
  if (entity !== undefined) {
    return (
      <div className={classes.target} style={{ marginBottom: 16 }}>
        <Text c="dimmed" size="sm">
          {t('Acts on')}
        </Text>
        <EntityAnchor
          blueprint={blueprint}
          identifier={entity}
          title={found.data?.entity.title}
          icon={found.data?.entity.icon ?? ''}
        />
        <Text c="dimmed" size="sm">
          {blueprint}
        </Text>
        <Button size="compact-sm" variant="subtle" onClick={() => onChoose(undefined)}>
          {t('Choose another')}
        </Button>
      </div>
    );
  }
  const condition = 'condition' in trigger ? trigger.condition : undefined;
  return (
    <div className={classes.chooser}>
      <EntityPicker
        id="input-entity"
        label={t('Which {blueprint}?', { blueprint })}
        description={condition ? t('Those are offered that the action is meant for.') : undefined}
        blueprint={blueprint}
        dataset={condition ? { combinator: condition.combinator, rules: condition.rules } : undefined}
        value={[]}
        isRequired
        onChange={([chosen]) => onChoose(chosen, { isStep: true })}
      />
    </div>
  );
}

const backends: Readonly<Record<string, string>> = {
  WEBHOOK: t('Calls a webhook'),
  GITHUB: t('Starts a GitHub workflow'),
  KAFKA: t('Sends a message to Kafka'),
  UPSERT_ENTITY: t('Creates or changes an entity'),
  INTEGRATION_ACTION: t('Is executed by an integration'),
};

/** What running the action will do. */
function WhatHappens({
  action,
  trigger,
  entity,
}: {
  action: Action;
  trigger: SelfServiceTrigger;
  entity: string | undefined;
}) {
  const needsApproval = Boolean(action.requiredApproval);
  const asked = useRead(
    'evaluateForm',
    {
      params: { action_identifier: action.identifier },
      body: { properties: {}, withApprovers: true, ...(entity ? { entity } : {}) },
    },
    { isOn: needsApproval },
  );
  const approval = asked.data?.form.approval;
  const approvers = approval?.approvers ?? [];
  const method = action.invocationMethod as { readonly type?: string; readonly org?: string; readonly repo?: string };
  const where = method.type === 'GITHUB' ? `${method.org}/${method.repo}` : undefined;
  return (
    <aside className={classes.aside} aria-label={t('What will happen')}>
      <Title order={2} size="h3">
        {t('What will happen')}
      </Title>
      <dl>
        <div>
          <dt>{t('How')}</dt>
          <dd>
            {backends[method.type ?? ''] ?? method.type}
            {where && ` ${t('of {where}', { where })}`}
          </dd>
        </div>
        {trigger.blueprintIdentifier && (
          <div>
            <dt>
              {trigger.operation === 'CREATE'
                ? t('Creates')
                : trigger.operation === 'DELETE'
                  ? t('Deletes')
                  : t('Acts on')}
            </dt>
            <dd>{trigger.blueprintIdentifier}</dd>
          </div>
        )}
        <div>
          <dt>{t('Approval')}</dt>
          <dd>
            {!needsApproval && t('Not needed. The run starts at once.')}
            {needsApproval && approval && (
              <>
                {approversInWords(approval.type, approvers.length)}
                {approvers.slice(0, 8).map((email) => (
                  <div key={email}>
                    <PersonBadge email={email} />
                  </div>
                ))}
                {approvers.length > 8 && <div>{t('and {value} more', { value: approvers.length - 8 })}</div>}
              </>
            )}
            {needsApproval && !approval && t('Approval is required first.')}
          </dd>
        </div>
      </dl>
    </aside>
  );
}
