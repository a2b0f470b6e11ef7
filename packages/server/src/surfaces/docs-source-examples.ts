/** Examples on sources, imports and starter models; like the others, they create their own data. */
const source = { source_identifier: 'git' };
const gitea = { type: 'gitea', settings: { url: 'https://git.example.com' }, secrets: { token: 'YOUR-TOKEN' } };
const install = { type: 'pagerduty', installationId: 'our-pagerduty' };
const pack = { pack_id: 'kubernetes' };

export const sourceExamples = {
  getSourceType: { path: { source_type: 'gitea' } },
  checkSource: { body: gitea },
  createSource: { body: { identifier: 'git', title: 'Our Git', ...gitea } },
  getSource: { path: source },
  patchSource: { path: source, body: { scheduleMinutes: 60, isPaused: true } },
  deleteSource: { path: source },
  startSourceSync: { path: source, body: { mode: 'plan' } },
  listSourceSyncs: { path: source },
  getSourceSync: { path: source },
  cancelSourceSync: { path: source },
  listSourceSyncChanges: { path: source },
  listSourceSyncProblems: { path: source },
  renewSourceWebhook: { path: source },
  listMissing: { path: source },
  decideMissing: { path: source, body: { decision: 'keep', total: 0 } },
  importLines: {
    query: { blueprint: 'library' },
    lines: [
      { identifier: 'yaml-tools', properties: { language: 'Go', downloads: 800 } },
      { identifier: 'clock', properties: { language: 'Rust' } },
    ],
  },
  planInstall: { body: install },
  createInstall: { body: install },
  getInstall: { path: { install_id: 'our-pagerduty' } },
  deleteInstall: { path: { install_id: 'our-pagerduty' } },
  getPack: { path: pack },
  planPack: { path: pack, body: { for: 'install' } },
  installPack: { path: pack, body: {} },
  removePack: { path: pack, body: {} },
  removeDemoOrganization: { query: { confirm: 'Halyard Freight' } },
  patchChecklist: { body: { items: { colleague: { isDismissed: true } } } },
};
