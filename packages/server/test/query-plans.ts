import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../src/platform/db/database.ts';

/** A node of a plan as the server describes it. */
export interface Plan {
  readonly 'Node Type': string;
  readonly 'Plan Rows': number;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Join Type'?: string;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly Plan[];
}

export interface Explained {
  readonly text: string;
  readonly plan: Plan;
}

/** A database that notes the plan of every statement outside a transaction before it reads. */
export function explaining(reader: Database): { readonly database: Database; readonly plans: readonly Explained[] } {
  const plans: Explained[] = [];
  const explain = async (statement: Sql): Promise<void> => {
    const row = await reader.first<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      sql`explain (format json) ${statement}`,
    );
    plans.push({ text: statement.text, plan: row?.['QUERY PLAN'][0]?.Plan as Plan });
  };
  return {
    plans,
    database: {
      ...reader,
      rows: async (statement) => {
        await explain(statement);
        return reader.rows(statement);
      },
      first: async (statement) => {
        await explain(statement);
        return reader.first(statement);
      },
    },
  };
}

/** The node and all below it that find rows, from the top down; what is looked up for each row shown is left out. */
export function nodesOf(plan: Plan): Plan[] {
  const below = (plan.Plans ?? []).filter((each) => each['Subplan Name'] === undefined);
  return [plan, ...below.flatMap(nodesOf)];
}
