import type { GiteaServer } from './gitea-server.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A `port.yml` that declares services. */
export function declaring(...names: readonly string[]): string {
  return names.map((name) => `- identifier: ${name}\n  blueprint: service\n  title: ${name}\n`).join('');
}

/** A repository with a readme, owners, two declared services and an API; private if its name ends with 7. */
export async function makeRepository(gitea: GiteaServer, owner: string, name: string): Promise<void> {
  const isPrivate = name.endsWith('7');
  await gitea.call('POST', `/orgs/${owner}/repos`, {
    name,
    auto_init: true,
    default_branch: 'main',
    private: isPrivate,
  });
  await changeFiles(gitea, `${owner}/${name}`, [
    { operation: 'create', path: 'CODEOWNERS', content: base64(`.* @${owner}/payments\n`) },
    { operation: 'create', path: 'port.yml', content: base64(declaring(name, `${name}-worker`)) },
    { operation: 'create', path: 'docs/openapi.yaml', content: base64('openapi: 3.0.0\ninfo: {title: Pay}\n') },
  ]);
}

/** A repository with a readme and one owner of everything in it. */
export async function makeOwnedRepository(gitea: GiteaServer, owner: string, name: string, by: string): Promise<void> {
  const description = `What ${name} is for`;
  await gitea.call('POST', `/orgs/${owner}/repos`, { name, description, auto_init: true, default_branch: 'main' });
  await changeFiles(gitea, `${owner}/${name}`, [
    { operation: 'create', path: 'CODEOWNERS', content: base64(`.* ${by}\n`) },
    { operation: 'create', path: 'main.go', content: base64('package main\n\nfunc main() {}\n') },
  ]);
}

export async function updateFile(gitea: GiteaServer, repository: string, path: string, text: string): Promise<void> {
  const { sha } = await gitea.call<{ sha: string }>('GET', `/repos/${repository}/contents/${path}`);
  await changeFiles(gitea, repository, [{ operation: 'update', path, sha, content: base64(text) }]);
}

function changeFiles(gitea: GiteaServer, repository: string, files: readonly unknown[]): Promise<unknown> {
  return gitea.call('POST', `/repos/${repository}/contents`, { files, message: 'change' });
}
