import type { ModelMapping } from '../source-type.ts';

/** What a Git source writes unless told otherwise; the same for every host, as the documents are. */
export const gitBlueprints: readonly Readonly<Record<string, unknown>>[] = [
  {
    identifier: 'repository',
    title: 'Repository',
    icon: 'Git',
    ownership: { type: 'Direct' },
    schema: {
      properties: {
        url: { type: 'string', format: 'url', title: 'Address' },
        description: { type: 'string', title: 'Description' },
        readme: { type: 'string', format: 'markdown', title: 'README' },
        language: { type: 'string', title: 'Language' },
        languages: { type: 'object', title: 'Languages, in per cent' },
        topics: { type: 'array', items: { type: 'string' }, title: 'Topics' },
        visibility: { type: 'string', title: 'Visibility' },
        defaultBranch: { type: 'string', title: 'Default branch' },
        archived: { type: 'boolean', title: 'Archived' },
        lastCommitAt: { type: 'string', format: 'date-time', title: 'Last commit' },
        lastCommitBy: { type: 'string', title: 'Last commit by' },
        openPullRequests: { type: 'number', title: 'Open pull requests' },
        codeowner: { type: 'string', title: 'Owner in CODEOWNERS' },
        host: { type: 'string', title: 'Host' },
      },
      required: [],
    },
    relations: {},
  },
  {
    identifier: 'api',
    title: 'API',
    icon: 'Swagger',
    ownership: { type: 'Direct' },
    schema: {
      properties: {
        type: { type: 'string', title: 'Format' },
        version: { type: 'string', title: 'Version' },
        description: { type: 'string', format: 'markdown', title: 'Description' },
        openapi: { type: 'object', spec: 'open-api', title: 'OpenAPI' },
        asyncapi: { type: 'object', spec: 'async-api', title: 'AsyncAPI' },
        definition: { type: 'string', title: 'Definition' },
        url: { type: 'string', format: 'url', title: 'File' },
      },
      required: [],
    },
    relations: { repository: { target: 'repository', title: 'Repository', required: false, many: false } },
  },
];

/** Names that two namespaces may share stay apart; characters that an identifier may not have become dashes. */
export const slug = 'gsub("[^A-Za-z0-9@_.+:/=-]"; "-")';

/** A service for each repository that is worked on and declares none itself, in the model `service-catalog`. */
export const serviceMapping: ModelMapping = {
  blueprint: 'service',
  relation: 'repository',
  target: 'repository',
  resources: [
    {
      kind: 'repository',
      selector: { query: '.archived or .fork or .isDeclaring | not' },
      port: {
        entity: {
          mappings: {
            identifier: `.path | ${slug}`,
            blueprint: '"service"',
            title: '.name',
            team: '.owner.team // empty',
            properties: { summary: '.description', url: '.url', language: '.language // empty' },
            relations: { repository: `.path | ${slug}` },
          },
        },
      },
    },
  ],
};

export const gitMapping: readonly Readonly<Record<string, unknown>>[] = [
  {
    kind: 'team',
    selector: { query: '.slug != "owners"' },
    port: {
      entity: {
        mappings: { identifier: '.slug', blueprint: '"_team"', title: '.name' },
      },
    },
  },
  {
    kind: 'repository',
    selector: { query: 'true' },
    port: {
      entity: {
        mappings: {
          identifier: `.path | ${slug}`,
          blueprint: '"repository"',
          title: '.name',
          team: '.owner.team // empty',
          properties: {
            url: '.url',
            description: '.description',
            readme: '.readme',
            language: '.language // empty',
            languages: '.languages // empty',
            topics: '.topics',
            visibility: '.visibility',
            defaultBranch: '.defaultBranch',
            archived: '.archived',
            lastCommitAt: '.head.at',
            lastCommitBy: '.head.author.name',
            openPullRequests: '.openPullRequests // empty',
            codeowner: '.owner.owner',
            host: '.host',
          },
        },
      },
    },
  },
  {
    kind: 'api-definition',
    selector: { query: 'true' },
    port: {
      entity: {
        mappings: {
          identifier: `.repository.path + ":" + .path | ${slug}`,
          blueprint: '"api"',
          title: '.info.title // .repository.name',
          team: '.owner.team // empty',
          properties: {
            type: '.format',
            version: '.info.version',
            description: '.info.description',
            openapi: 'if .format == "openapi" then .document else null end',
            asyncapi: 'if .format == "asyncapi" then .document else null end',
            definition: 'if .document then null else .text end',
            url: '.url',
          },
          relations: { repository: `.repository.path | ${slug}` },
        },
      },
    },
  },
  {
    kind: 'port-file',
    selector: { query: 'true' },
    port: {
      entity: {
        mappings: {
          identifier: '.entity.identifier',
          blueprint: '.entity.blueprint',
          title: '.entity.title // empty',
          icon: '.entity | if has("icon") then .icon else empty end',
          team: '.entity | if has("team") then .team else empty end',
          properties: '.entity | if has("properties") then .properties else empty end',
          relations: '.entity | if has("relations") then .relations else empty end',
        },
      },
    },
  },
];
