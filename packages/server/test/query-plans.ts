import sql, { type Sql } from 'sql-template-tag';
import type { Database, Reader } from '../src/platform/db/database.ts';
import type { Connection, Engine } from '../src/platform/db/engine.ts';

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

export interface ExplainedQuery {
  readonly text: string;
  readonly plan: Plan;
}

/** A database that notes the plan of every statement outside a transaction before it reads. */
export function explaining(reader: Database): {
  readonly database: Database;
  readonly plans: readonly ExplainedQuery[];
} {
  const plans: ExplainedQuery[] = [];
  const explain = async (statement: Sql): Promise<void> => {
    const row = await reader.first<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      sql`explain (format json) ${statement}`,
    );
    plans.push({ text: statement.text, plan: row?.['QUERY PLAN'][0]?.Plan as Plan });
  };
  const explainFirst = <Read extends Reader['rows'] | Reader['first']>(read: Read): Read =>
    (async (statement: Sql) => {
      await explain(statement);
      return (read as (statement: Sql) => Promise<unknown>)(statement);
    }) as unknown as Read;
  const reads = { rows: explainFirst(reader.rows), first: explainFirst(reader.first) };
  return { plans, database: { ...reader, ...reads, standby: reads } };
}

/** The node and all below it that find rows, from the top down; what is looked up for each row shown is left out. */
export function listNodes(plan: Plan): Plan[] {
  const below = (plan.Plans ?? []).filter((each) => each['Subplan Name'] === undefined);
  return [plan, ...below.flatMap(listNodes)];
}

/** An engine that notes the plan of every statement it runs, in transactions too. */
export function explainStatements(engine: Engine): { readonly engine: Engine; take(): ExplainedQuery[] } {
  let plans: ExplainedQuery[] = [];
  const explained = (connection: Connection): Connection => ({
    async query(text, values) {
      if (/^\s*(select|with|insert|update|delete)\b/i.test(text)) {
        const { rows } = await connection.query(`explain (format json) ${text}`, values);
        const [row] = rows as unknown as [{ 'QUERY PLAN': [{ Plan: Plan }] }];
        plans.push({ text, plan: row['QUERY PLAN'][0].Plan });
      }
      return connection.query(text, values);
    },
    script: (text) => connection.script(text),
    release: (broken) => connection.release(broken),
  });
  return {
    engine: {
      ...engine,
      connect: async () => explained(await engine.connect()),
    },
    take: () => {
      const taken = plans;
      plans = [];
      return taken;
    },
  };
}

/** What a plan does, without what moves with the data: nodes, tables and indexes, one a line. */
export function describePlan(plan: Plan, depth = 0): string {
  const index = plan['Index Name']?.replace(/^entities_used_[0-9a-f]+$/, 'entities_used_…');
  const words = [
    plan['Subplan Name'] === undefined ? '' : `${plan['Subplan Name'].replaceAll(/ ?\(returns.*\)|\d+/g, '')}: `,
    plan['Node Type'],
    plan['Join Type'] && plan['Join Type'] !== 'Inner' ? ` ${plan['Join Type']}` : '',
    index === undefined ? '' : ` using ${index}`,
    plan['Relation Name'] === undefined ? '' : ` on ${plan['Relation Name']}`,
  ];
  const below = (plan.Plans ?? []).map((each) => describePlan(each, depth + 1));
  return [`${'  '.repeat(depth)}${words.join('')}`, ...below].join('\n');
}
