import type { OperationAnswer } from '@portolan/contract/operation';
import { checkDerivedValues, listOrganizations } from '@portolan/contract/operator';
import type { Arguments } from '../command.ts';
import { connectAsOperator, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printable, table } from '../output.ts';

type Answer = OperationAnswer<typeof checkDerivedValues>;

interface ExaminedOrganization extends Omit<Answer, 'ok'> {
  readonly organization: string;
}

/**
 * Has the server recompute all derived values of all organizations and prints the differences, changing nothing.
 * The exit code is 1 if anything differs.
 */
export async function examineDerived(input: Arguments, context: Context): Promise<ExitCode> {
  const { client, address } = connectAsOperator(input, context);
  const examined = await explained(
    address,
    async () => {
      const all: ExaminedOrganization[] = [];
      for (let from: string | undefined; ; ) {
        const page = await client.call(listOrganizations, { query: { limit: 200, from } });
        for (const { id } of page.organizations) {
          const { ok: _ok, ...answer } = await client.call(checkDerivedValues, { params: { organization_id: id } });
          all.push({ organization: id, ...answer });
        }
        if (!page.next) return all;
        from = page.next;
      }
    },
    'operator',
  );
  const differing = examined.reduce((sum, each) => sum + each.differing, 0);
  context.out.write(
    input.flag('json') ? `${JSON.stringify({ organizations: examined })}\n` : printable(told(examined), context.out),
  );
  return differing > 0 ? exitCodes.failed : exitCodes.ok;
}

function told(examined: readonly ExaminedOrganization[]): string {
  const rows = examined.map(({ organization, checked, pending, differing }) =>
    [organization, checked, pending, differing].map(String),
  );
  const differences = examined.flatMap(({ organization, differences: found }) =>
    found.map(({ blueprint, entity, property, stored, computed }) => [
      organization,
      `${blueprint}/${entity}`,
      property,
      JSON.stringify(stored),
      JSON.stringify(computed),
    ]),
  );
  const summary = table(['ORGANIZATION', 'CHECKED', 'PENDING', 'DIFFERING'], rows);
  if (differences.length === 0) return summary;
  return `${summary}\n${table(['ORGANIZATION', 'ENTITY', 'PROPERTY', 'STORED', 'COMPUTED'], differences)}`;
}
