import { loadDemo } from '../../src/demo/load-demo.ts';
import { systemActor } from '../../src/platform/actor.ts';
import type { Request, TestApp, TestOrganization } from '../build-test-app.ts';
import { demoFolder } from '../demo/organization.ts';
import { demoFacts, demoNow, demoQuestions } from './demo-questions.ts';
import { type GeneratedOrganization, generateOrganization } from './generate-organization.ts';
import { generatedFacts, generatedQuestions } from './generated-questions.ts';
import { bank, type OrganizationWords, plant, studio } from './organization-words.ts';
import type { Fact, Question } from './question.ts';

/** An organization that is loaded, and what is asked of it. */
export interface AskedOrganization {
  readonly name: string;
  readonly organization: TestOrganization;
  readonly questions: readonly Question[];
}

/** The demo and three generated organizations; the clock stands where the demo's answers were worked out. */
export async function loadOrganizations(test: TestApp): Promise<AskedOrganization[]> {
  const loaded = [await loadDemoQuestions(test)];
  for (const words of [bank, plant, studio]) {
    const generated = generateOrganization(words, demoNow);
    const organization = await test.createOrganization();
    await loadGenerated(organization.request, generated);
    const questions = generatedQuestions(generated, generatedFacts(generated, demoNow));
    loaded.push({ name: words.name, organization, questions });
  }
  await test.app.jobs.drain();
  return loaded;
}

/** The demo alone. */
export async function loadDemoQuestions(test: TestApp): Promise<AskedOrganization> {
  test.clock.set(demoNow);
  const organization = await loadDemoOrganization(test);
  await test.app.jobs.drain();
  return { name: 'demo', organization, questions: demoQuestions(demoFacts()) };
}

/** A generated organization once more: with events created in another order, among types and entities that nobody asks for. */
export async function loadShuffled(test: TestApp, words: OrganizationWords): Promise<AskedOrganization> {
  const generated = generateOrganization(words, demoNow);
  const isEvent = ({ blueprint }: Fact): boolean => blueprint === words.event[0];
  const facts = [...generated.facts.filter((fact) => !isEvent(fact)), ...generated.facts.filter(isEvent).reverse()];
  const organization = await test.createOrganization();
  const other = {
    identifier: 'paintTin',
    title: 'Paint Tin',
    schema: { properties: { shade: { type: 'string', title: 'Shade' } } },
  };
  const tins = ['Ochre', 'Umber', 'Sienna'].map(
    (title): Fact => ({
      blueprint: other.identifier,
      identifier: title.toLowerCase(),
      title,
      team: [],
      properties: {},
      relations: {},
    }),
  );
  await loadGenerated(organization.request, {
    ...generated,
    blueprints: [other, ...generated.blueprints],
    facts: [...tins, ...facts],
  });
  await test.app.jobs.drain();
  return { name: words.name, organization, questions: [] };
}

async function loadDemoOrganization(test: TestApp): Promise<TestOrganization> {
  const organization = await test.createOrganization();
  const { loading, unitOfWork } = test.app;
  await unitOfWork(systemActor(organization.id), (work) =>
    loadDemo(loading, work, { folder: demoFolder, publicUrl: 'http://localhost:3000' }),
  );
  return organization;
}

async function loadGenerated(request: Request, { blueprints, facts, scorecard, words }: GeneratedOrganization) {
  const send = async (path: string, body: unknown): Promise<void> => {
    const { status, body: answer } = await request('POST', path, { body });
    if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
  };
  for (const blueprint of blueprints) await send('/v1/blueprints', blueprint);
  for (const batch of batches(facts)) {
    const entities = batch.map(({ blueprint: _, ...entity }) => entity);
    await send(`/v1/blueprints/${batch[0]?.blueprint}/entities/bulk?upsert=true`, { entities });
  }
  await send(`/v1/blueprints/${words.thing[0]}/scorecards`, scorecard);
}

/** Neighbours of one blueprint, at most as many as one request takes. */
function batches(facts: readonly Fact[]): Fact[][] {
  const all: Fact[][] = [];
  for (const fact of facts) {
    const last = all.at(-1);
    if (last && last.length < 20 && last[0]?.blueprint === fact.blueprint) last.push(fact);
    else all.push([fact]);
  }
  return all;
}
