import { type AiBudget, type BudgetMeasure, budgetMeasures, listAiBudgets } from '@portolan/contract/ai-budgets';
import { usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { connectionOptions } from '../config.ts';
import { connect, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable, table } from '../output.ts';

export const budgetCommand: Command = {
  name: 'budget',
  summary: 'List budgets of the assistant, with what is used and what to expect',
  usage: ['budget list [options]'],
  details: ['Administrators see all, others those that concern them.'],
  options: {
    json: { type: 'boolean', description: 'print JSON' },
    ...connectionOptions,
  },
  examples: ['budget list', 'budget list --json'],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb = '', ...rest] = input.words;
  if (verb !== 'list') throw usageError(`"budget ${verb}" is not known. There is: list.`);
  if (rest.length > 0) throw usageError(`"${rest[0]}" is one word too many.`);
  const { client, address } = connect(input, context);
  const { budgets } = await explained(address, () => client.call(listAiBudgets));
  const text = input.flag('json') ? `${JSON.stringify({ budgets })}\n` : printable(listed(budgets), context.out);
  context.out.write(text);
  return exitCodes.ok;
}

function listed(budgets: readonly AiBudget[]): string {
  if (budgets.length === 0) return 'There is no budget.\n';
  const rows = budgets.flatMap((budget) =>
    budgetMeasures.flatMap((measure) => {
      const limit = budget[measure];
      if (limit === null) return [];
      const { scope, id, period, used, forecast, state, action, resetDate } = budget;
      const expected = forecast[measure];
      return [
        [
          `${scope} ${id}`,
          period,
          `${figure(measure, used[measure])} of ${figure(measure, limit)}`,
          expected === null ? 'not known yet' : `about ${figure(measure, expected.expected)}`,
          action === 'warn' ? `${state}, only warns` : state,
          resetDate.slice(0, 10),
        ],
      ];
    }),
  );
  return table(['FOR', 'PERIOD', 'USED', 'AT THE END', 'STATE', 'STARTS AGAIN'], rows);
}

function figure(measure: BudgetMeasure, value: number): string {
  const text = value.toLocaleString('en-US', { maximumFractionDigits: measure === 'usd' ? 2 : 0 });
  return measure === 'usd' ? `$${text}` : `${text} ${measure}`;
}
