import type { JqObject, JqValue } from '@portolan/jq';
import { z } from 'zod';
import type { HostList } from '../git-host.ts';
import type { HostAnswer, HostRequest } from '../transport.ts';
import type { Project } from './azure-answers.ts';

export interface AzureContext {
  /** @param path with its query, without the version of the interface */
  send(path: string, request: HostRequest): Promise<HostAnswer>;
  /** Those that the source reads, by id. */
  projects(signal: AbortSignal): Promise<readonly Project[]>;
}

const pageSize = 100;
const cursorSchema = z.object({ project: z.string(), skip: z.number() });
const teamSchema = z.looseObject({ id: z.string(), name: z.string() });
const memberSchema = z.looseObject({
  identity: z.looseObject({ displayName: z.string().nullish(), uniqueName: z.string().nullish() }),
});

/** Teams of the projects. Their lists end with an empty page. */
export async function listTeams(
  context: AzureContext,
  cursor: JqValue | null,
  signal: AbortSignal,
): Promise<HostList<JqObject>> {
  const projects = await context.projects(signal);
  const at = cursor === null ? { project: '', skip: 0 } : cursorSchema.parse(cursor);
  const index = projects.findIndex(({ id }) => id >= at.project);
  const project = projects[index];
  if (!project) return { items: [], next: null, total: null };
  const skip = project.id === at.project ? at.skip : 0;
  const following = projects[index + 1];
  const next = following ? { project: following.id, skip: 0 } : null;
  const path = `/_apis/projects/${project.id}/teams?$top=${pageSize}&$skip=${skip}`;
  const answer = await context.send(path, { signal, allows: [403, 404] });
  if (answer.status !== 200) return { items: [], next, total: null, unreadable: project.name };
  const teams = z.looseObject({ value: z.array(teamSchema) }).parse(JSON.parse(answer.text)).value;
  const items = await Promise.all(teams.map((team) => toTeam(context, project, team, signal)));
  return { items, next: teams.length > 0 ? { project: project.id, skip: skip + teams.length } : next, total: null };
}

async function toTeam(
  { send }: AzureContext,
  project: Project,
  team: z.output<typeof teamSchema>,
  signal: AbortSignal,
): Promise<JqObject> {
  const members: JqValue[] = [];
  for (let isMore = true; isMore; ) {
    const path = `/_apis/projects/${project.id}/teams/${team.id}/members?$top=${pageSize}&$skip=${members.length}`;
    const answer = await send(path, { signal, allows: [403, 404] });
    if (answer.status !== 200) break;
    const { value } = z.looseObject({ value: z.array(memberSchema) }).parse(JSON.parse(answer.text));
    for (const { identity } of value) {
      const login = identity.uniqueName ?? identity.displayName ?? '';
      members.push({ login, email: login.includes('@') ? login : null, name: identity.displayName ?? login });
    }
    isMore = value.length > 0;
  }
  const { id, name } = team;
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return { id, organization: project.name, slug, name, members, raw: { id, name } };
}
