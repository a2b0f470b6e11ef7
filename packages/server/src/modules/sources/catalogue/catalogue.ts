import type { SourceTypeCard, SourceTypeDetails } from '@portolan/contract/source-types';
import { notFound } from '../../../platform/errors.ts';
import type { SourceType } from '../source-type.ts';
import type { Card, Client } from './client.types.ts';
import { describeNative } from './describe-native.ts';
import { type ClientFiles, readClients } from './read-clients.ts';
import { settingsForm } from './settings-form.ts';

export interface Catalogue {
  /** Native types first, then by section and title. */
  list(filter: { readonly query?: string | undefined; readonly section?: string | undefined }): SourceTypeCard[];
  readonly sections: readonly string[];
  /** @throws AppError `not_found` */
  details(type: string): SourceTypeDetails;
  /** A client that can be installed. @throws AppError `not_found` */
  client(type: string): Client;
}

/** What can be added as a source: native types, and clients of the files in `folder`, if there is one. */
export function createCatalogue(folder: string | undefined, natives: readonly SourceType[]): Catalogue {
  const files: ClientFiles = folder === undefined ? { clients: [], cards: [] } : readClients(folder);
  const clients = new Map(files.clients.map((each) => [each.type, each]));
  const described = files.cards.map((card) => describe(card, clients.get(card.type)));
  const hidden = new Set(files.cards.flatMap(({ type, isHidden }) => (isHidden ? [type] : [])));
  const own = natives.map(describeNative);
  // a native type takes the place of a client of the same name
  const all = [...own, ...described.filter(({ type }) => !own.some((each) => each.type === type))];
  const listed = all.filter(({ type }) => !hidden.has(type)).sort(byPlace);
  return {
    sections: [...new Set(listed.map(({ section }) => section))],
    list: ({ query, section }) =>
      listed.filter((each) => (section === undefined || each.section === section) && matches(each, query)).map(toCard),
    details: (type) => {
      const found = all.find((each) => each.type === type);
      if (!found) throw notFound('Source type', type);
      return found;
    },
    client: (type) => {
      const found = clients.get(type);
      if (!found) throw notFound('Client', type);
      return found;
    },
  };
}

function describe(card: Card, client: Client | undefined): SourceTypeDetails {
  return {
    type: card.type,
    title: client?.title ?? card.title ?? card.type,
    summary: card.summary,
    section: card.section,
    needs: card.needs,
    way: card.way,
    blueprints: client?.blueprints.map(({ identifier }) => String(identifier)) ?? [],
    version: client?.version ?? null,
    kinds: client?.kinds ?? [],
    settings: settingsForm(client?.settings ?? []) as SourceTypeDetails['settings'],
    blueprintBodies: client?.blueprints ?? [],
    mapping: (client?.mapping ?? null) as SourceTypeDetails['mapping'],
    guide: card.guide ?? null,
  };
}

const lastSection = 'Anything else';

function byPlace(one: SourceTypeDetails, other: SourceTypeDetails): number {
  return (
    Number(one.way !== 'native') - Number(other.way !== 'native') ||
    Number(one.section === lastSection) - Number(other.section === lastSection) ||
    one.section.localeCompare(other.section, 'en') ||
    one.title.localeCompare(other.title, 'en')
  );
}

/** Every word occurs somewhere. */
function matches({ type, title, summary, section, blueprints, kinds }: SourceTypeDetails, query = ''): boolean {
  const text = [type, title, summary, section, ...blueprints, ...kinds].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function toCard({ type, title, summary, section, needs, way, blueprints }: SourceTypeDetails): SourceTypeCard {
  return { type, title, summary, section, needs, way, blueprints };
}
