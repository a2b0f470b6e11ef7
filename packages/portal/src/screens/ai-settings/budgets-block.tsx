import { Alert, Badge, Button, Group, Progress, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import type { AiBudget } from '@portolan/contract/ai-budgets';
import { useState } from 'react';
import { useRead } from '../../api/query.ts';
import { Block } from '../../kit/block.tsx';
import { useDelete } from '../../kit/delete.ts';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { Reading } from '../../kit/states.tsx';
import { plural, t } from '../../kit/translate.ts';
import { amount, day, expectation, listLimits, whose } from '../../parts/ai/budget-words.ts';
import { BudgetForm } from './budget-form.tsx';

const periods = { day: t('Daily'), month: t('Monthly') } as const;

/** Budgets of the organization, its teams, people and agents, with what is used and what to expect. */
export function BudgetsBlock() {
  const reading = useRead('listAiBudgets', undefined, { everyMs: 30_000 });
  const [edited, setEdited] = useState<AiBudget | 'new'>();
  return (
    <Block title={t('Budgets')}>
      <Text size="sm" mb="xs">
        {t(
          'A question counts for the organization, for who asks, for the agent, and for the team that owns the agent, or else for all teams of who asks. No answer is cut off by a budget.',
        )}
      </Text>
      <Reading of={reading}>
        {({ budgets }) => (
          <Stack gap="sm">
            <Notices budgets={budgets} />
            {budgets.length === 0 ? (
              <Text c="dimmed">{t('There is no budget.')}</Text>
            ) : (
              <Budgets budgets={budgets} onEdit={setEdited} />
            )}
            <Group>
              <Button size="xs" variant="default" data-operation="putAiBudget" onClick={() => setEdited('new')}>
                {t('Add a budget')}
              </Button>
            </Group>
          </Stack>
        )}
      </Reading>
      {edited && <BudgetForm budget={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </Block>
  );
}

/** What administrators should know without reading the table. */
function Notices({ budgets }: { budgets: readonly AiBudget[] }) {
  const spent = budgets.filter(({ state }) => state === 'spent');
  const near = budgets.filter(({ state }) => state === 'near');
  if (spent.length + near.length === 0) return null;
  const list = (some: readonly AiBudget[]) => some.map(whose).join(', ');
  return (
    <Alert color={spent.length > 0 ? 'red' : 'yellow'} role="status">
      {spent.length > 0 && <Text size="sm">{t('Used up: {list}', { list: list(spent) })}</Text>}
      {near.length > 0 && <Text size="sm">{t('Nearly used up: {list}', { list: list(near) })}</Text>}
    </Alert>
  );
}

function Budgets({ budgets, onEdit }: { budgets: readonly AiBudget[]; onEdit: (budget: AiBudget) => void }) {
  return (
    <ScrolledTable label={t('Budgets and what was used of them')} minWidth={640}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('For')}</Table.Th>
          <Table.Th>{t('Used')}</Table.Th>
          <Table.Th>{t('Resets')}</Table.Th>
          <Table.Th>
            <VisuallyHidden>{t('Change')}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {budgets.map((budget) => (
          <Row key={`${budget.scope} ${budget.id} ${budget.period}`} budget={budget} onEdit={() => onEdit(budget)} />
        ))}
      </Table.Tbody>
    </ScrolledTable>
  );
}

function Row({ budget, onEdit }: { budget: AiBudget; onEdit: () => void }) {
  const { scope, id, period, action, uncosted, forecast, resetDate } = budget;
  const name = whose(budget);
  const remove = useDelete('deleteAiBudget', { staleAfter: ['listAiBudgets'] });
  const ask = () =>
    remove.ask({
      input: { params: { scope, budget_identifier: id, period } },
      name: t('The budget of {name}', { name }),
      consequence: t('From now on, nothing is limited by it. What was used is no longer counted for it.'),
      verb: t('Remove'),
      past: 'removed',
    });
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {name}
        <Group gap={4}>
          <Text size="xs" c="dimmed">
            {periods[period]}
          </Text>
          {action === 'warn' && (
            <Badge size="xs" variant="light">
              {t('only warns')}
            </Badge>
          )}
        </Group>
      </Table.Th>
      <Table.Td>
        <Stack gap={6}>
          {listLimits(budget).map((each) => (
            <div key={each.measure}>
              <Text size="sm">
                {t('{used} of {limit}', {
                  used: amount(each.measure, each.used),
                  limit: amount(each.measure, each.limit),
                })}
              </Text>
              <Progress
                value={share(each.used, each.limit)}
                color={colorOf(each.used / each.limit, budget.warnAt)}
                aria-label={t('{name}: {round} % used', { name, round: Math.round(share(each.used, each.limit)) })}
                w={180}
              />
              <Text size="xs" c="dimmed">
                {expectation(budget, each)}
              </Text>
            </div>
          ))}
          {forecast.daysWithoutData > 0 && forecast.daysWithoutData < 28 && (
            <Text size="xs" c="dimmed">
              {plural(
                forecast.daysWithoutData,
                'One of the last 28 days was not counted yet.',
                '{count} of the last 28 days were not counted yet.',
              )}
            </Text>
          )}
          {budget.usd !== null && uncosted > 0 && (
            <Text size="xs" c="dimmed">
              {plural(
                uncosted,
                'The cost of one answer is not known and not counted.',
                'The cost of {count} answers is not known and not counted.',
              )}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td>{day(new Date(resetDate))}</Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          <Button size="xs" variant="subtle" aria-label={t('Change the budget of {name}', { name })} onClick={onEdit}>
            {t('Change')}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="red"
            data-operation="deleteAiBudget"
            loading={remove.isPending}
            aria-label={t('Remove the budget of {name}', { name })}
            onClick={() => void ask()}
          >
            {t('Remove')}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function share(used: number, limit: number): number {
  return limit <= 0 ? 100 : Math.min(100, (used / limit) * 100);
}

function colorOf(used: number, warnAt: number): string {
  if (Number.isNaN(used) || used >= 1) return 'red';
  return used >= warnAt ? 'yellow' : 'indigo';
}
