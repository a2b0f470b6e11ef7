import { Autocomplete, NumberInput, Select, Text } from '@mantine/core';
import type { AiBudget, BudgetScope } from '@portolan/contract/ai-budgets';
import { call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { DialogForm, FieldProblem, useSentForm } from '../../kit/form.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { t } from '../../kit/translate.ts';
import { whose } from '../../parts/ai/budget-words.ts';

const scopeNames: Readonly<Record<BudgetScope, string>> = {
  organization: t('The organization'),
  team: t('A team'),
  user: t('A person'),
  agent: t('An agent'),
};

type Figure = number | string;

/** Sets or changes a budget; whose it is and its period cannot be changed afterwards. */
export function BudgetForm({ budget, onClose }: { budget: AiBudget | undefined; onClose: () => void }) {
  const form = useSentForm({
    initial: {
      scope: (budget?.scope ?? 'organization') as BudgetScope,
      budget_identifier: budget?.id ?? '',
      period: budget?.period ?? ('month' as AiBudget['period']),
      requests: (budget?.requests ?? '') as Figure,
      tokens: (budget?.tokens ?? '') as Figure,
      usd: (budget?.usd ?? '') as Figure,
      action: budget?.action ?? ('stop' as AiBudget['action']),
      warnAt: Math.round((budget?.warnAt ?? 0.8) * 100) as Figure,
    },
    staleAfter: ['listAiBudgets'],
    done: () => t('The budget was saved'),
    onSaved: onClose,
    send: (values) => {
      const { scope, period, requests, tokens, usd, action, warnAt } = values;
      const id = scope === 'organization' ? 'all' : values.budget_identifier.trim();
      if (id === '') throw new FieldProblem('budget_identifier', t('Say whose budget it is.'));
      const limits = Object.fromEntries(
        Object.entries({ requests, tokens, usd }).filter(
          (entry): entry is [string, number] => typeof entry[1] === 'number',
        ),
      );
      if (Object.keys(limits).length === 0) throw new FieldProblem('requests', t('Enter at least one limit.'));
      return call('putAiBudget', {
        params: { scope, budget_identifier: id, period },
        body: { ...limits, action, warnAt: (typeof warnAt === 'number' ? warnAt : 80) / 100 },
      });
    },
  });
  const { scope } = form.values;
  return (
    <DialogForm
      form={{ ...form, operation: 'putAiBudget' }}
      title={budget ? t('Change the budget of {name}', { name: whose(budget) }) : t('Add a budget')}
      verb={t('Save')}
      refused={t('The budget was not saved')}
      onClose={onClose}
    >
      {!budget && (
        <>
          <Select
            label={t('For')}
            data={Object.entries(scopeNames).map(([value, label]) => ({ value, label }))}
            allowDeselect={false}
            data-autofocus
            {...form.field('scope')}
          />
          {scope !== 'organization' && <Whose scope={scope} field={form.field('budget_identifier')} />}
          <SegmentedControl
            aria-label={t('Period')}
            value={form.values.period}
            data={[
              { value: 'month', label: t('Monthly') },
              { value: 'day', label: t('Daily') },
            ]}
            onChange={(period) => form.set({ period })}
          />
        </>
      )}
      <NumberInput label={t('Questions')} min={0} allowDecimal={false} thousandSeparator {...form.field('requests')} />
      <NumberInput label={t('Tokens')} min={0} allowDecimal={false} thousandSeparator {...form.field('tokens')} />
      <NumberInput
        label={t('US dollars')}
        description={t(
          'Counted with the prices that the operator set. What a model without a price costs is not known.',
        )}
        min={0}
        decimalScale={2}
        thousandSeparator
        {...form.field('usd')}
      />
      <SegmentedControl
        aria-label={t('When it is used up')}
        value={form.values.action}
        data={[
          { value: 'stop', label: t('Refuse questions') },
          { value: 'warn', label: t('Only warn') },
        ]}
        onChange={(action) => form.set({ action })}
      />
      <NumberInput label={t('Warn administrators at')} min={1} max={100} suffix=" %" {...form.field('warnAt')} />
      <Text size="sm" c="dimmed">
        {t('Budgets are looked at before an answer begins. All days are days of UTC.')}
      </Text>
    </DialogForm>
  );
}

function Whose({ scope, field }: { scope: Exclude<BudgetScope, 'organization'>; field: object }) {
  const teams = useRead('listTeams', undefined, { isOn: scope === 'team' });
  const users = useRead('listUsers', undefined, { isOn: scope === 'user' });
  const known = {
    team: (teams.data?.teams ?? []).flatMap(({ identifier }) => identifier ?? []),
    user: (users.data?.users ?? []).flatMap(({ email }) => email ?? []),
    agent: [],
  };
  return (
    <Autocomplete
      label={
        { team: t('Identifier of the team'), user: t('Address of the person'), agent: t('Identifier of the agent') }[
          scope
        ]
      }
      required
      data={[...new Set(known[scope])]}
      {...field}
    />
  );
}
