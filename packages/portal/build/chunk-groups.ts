const fromPackages = (...names: readonly string[]): RegExp =>
  new RegExp(`[\\\\/]node_modules[\\\\/](${names.join('|')})[\\\\/]`);

const kit = fromPackages(
  '@mantine[\\\\/]core',
  '@floating-ui',
  'react-remove-scroll',
  'react-remove-scroll-bar',
  'react-style-singleton',
  'use-callback-ref',
  'use-sidecar',
  'react-textarea-autosize',
  'react-number-format',
);
/** Icons and hooks: small, and used by everything. */
const base = /[\\/]node_modules[\\/](lucide-react|@mantine[\\/]hooks)[\\/]|[\\/]src[\\/]kit[\\/]use-focus-back\.ts$/;
/** Icons of single screens, mostly of workflows: they come with these. */
const rareIcons =
  /[\\/]lucide-react[\\/].*[\\/](arrow-right-left|calendar-clock|circle-dot|circle-pause|columns-3|ellipsis-vertical|flag|flask-conical|list-checks|maximize-2|megaphone|message-square|radar|radio|repeat|rocket|rotate-cw|scan-search|share-2|square-play|triangle-alert|upload|webhook|circle-play|circle-stop|corner-down-right|corner-right-up|hourglass|move-right|redo-2|send|split|square-dashed|user-check)\.m?js$/;
/** Menus, tips, dialogs: loaded with the first of them (`kit/floating.ts`). */
const floating =
  /[\\/]node_modules[\\/](@floating-ui|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar)[\\/]|[\\/]@mantine[\\/]core[\\/]esm[\\/](utils[\\/]Floating|components[\\/](Drawer|FocusTrap|HoverCard|Menu|Modal|ModalBase|Overlay|Paper|Popover|Portal|ScrollArea|Tooltip))[\\/]|[\\/]@mantine[\\/]hooks[\\/]esm[\\/]use-(focus-trap|focus-return|click-outside|long-press)[\\/]|[\\/]src[\\/]kit[\\/]dialog\.tsx$/;
/** What neither the frame nor the screens that people open first draw. */
const rare = /[\\/]components[\\/](Accordion|Drawer|NativeSelect|Progress|SimpleGrid|Table)[\\/]/;
const inputs = /[\\/]components[\\/](Divider|Switch|Textarea)[\\/]|react-textarea-autosize/;
const framework = fromPackages('react', 'react-dom', 'scheduler', '@tanstack', 'use-sync-external-store');
const frame =
  /[\\/]src[\\/](frame[\\/](rail-(arranged|own)|commands|recent)|parts[\\/](sidebar[\\/]|favorites[\\/]|pages[\\/]|run-things|campaigns[\\/]due)|api[\\/]live-stream|kit[\\/](arrow-keys|floating\.|menu|popover|tooltip|hover-card|use-loaded|block))/;
/** Those of other screens come with the screen, and those of the page editor with the editor. */
const styles =
  /[\\/]src[\\/]((frame|kit|theme|parts(?![\\/](page-editor|user-inputs)))[\\/].*|screens[\\/](home|catalog)[\\/](home|entity|what-changed|header-facts)\.module)\.css$/;
/** What forms are made of, beside plain inputs, texts, switches and menus. */
const formParts =
  /[\\/](@mantine[\\/]form|react-number-format|components[\\/](Combobox|Select|MultiSelect|TagsInput|Autocomplete|Pill|PillsInput|NumberInput|PasswordInput|FileInput|FileButton|Radio|Slider|Chip))[\\/]/;
/** Editors, charts and conversations: large, and loaded where they are shown. */
const heavy =
  /[\\/]parts[\\/](ai|mapping|definition|actions|user-inputs|workflows|graph)[\\/]|-rendered\.tsx?$|\.worker\.ts|shortcut-sheet|rail-drawer|sidebar-dialogs|sign-in-form|password-field/;
const shared = /[\\/]packages[\\/]portal[\\/]src[\\/](api|frame|kit|parts|theme)[\\/]/;
const forms =
  /[\\/]src[\\/](kit[\\/](form\.tsx|identifier-from|use-first-focus)|parts[\\/](naming-fields|entity-form[\\/]|action-form|form-|field-|entity-picker|nothing-to-pick|enum-choices|structured-field|jq-field|seal-input|use-focus-on-first|icon-select|decide-run|grant-lists|blueprint-select|entities[\\/](bulk-edit-dialog|run-dialog|filter-builder|filter-value|cell-editor)))/;
/** What one entity is drawn with, in a table and on its page, and what is known of its kind. */
const entity =
  /[\\/]src[\\/]parts[\\/](entities[\\/](fields|operators|property-value|inline-edit|edit-cell-button|row-menu|cell-button|rights|delete-entity|titles|team-form|use-fields|use-names|list-address|filter-chips|export-entities|to-csv|use-entities)\.|widgets[\\/]widget-shape|workflows[\\/]entity-input)/;
/** What holds widgets of any kind, and those that most dashboards have. */
const board =
  /[\\/]src[\\/]parts[\\/]widgets[\\/](board|dashboard|figure|filter-bar|grouper-widget|page-filter-chip|personal-widgets|reader-filters|rule-words|use-reader-filters|widget-(body|menu|view)|number-widget|stat|sparkline|breakdown|donut|bars|part-button|chart-parts|read-answer|text-widgets|action-widget|agent-widget|entity-widget)/;
const entities = (id: string): boolean =>
  !forms.test(id) &&
  !entity.test(id) &&
  /[\\/]src[\\/]parts[\\/](entities[\\/](?!selection-bar|bulk-edit|run-on-many|refused-list|views-menu|saved-views)|widgets[\\/]table-widget)|[\\/]src[\\/]kit[\\/]data-table/.test(
    id,
  );
/** Tables of rows, which Home and the catalog do not draw; they would bring theirs and what that imports. */
const scrolledTable = /[\\/]kit[\\/]scrolled-table\.tsx$/;
const isLight = (id: string): boolean => shared.test(id) && !heavy.test(id);

/**
 * Which modules become one file. Without groups every module that two screens share is a file of its own, and a screen
 * begins with a hundred of them, in waves. Higher priorities take their modules, and what those import, first.
 */
export const chunkGroups = [
  // evaluated before everything that says a text, and before somebody can press a key
  {
    name: 'first',
    test: /[\\/]src[\\/](kit[\\/](translate|language)|frame[\\/]early-keys|api[\\/]session-cookie)\.ts$/,
    priority: 95,
  },
  { name: 'framework', test: framework, priority: 90 },
  {
    name: 'kit',
    test: (id: string) =>
      (base.test(id) || kit.test(id)) && ![formParts, floating, rare, rareIcons, inputs].some((each) => each.test(id)),
    priority: 70,
  },
  { name: 'floating', test: floating, minShareCount: 2, priority: 69 },
  { name: 'kit-forms', test: formParts, minShareCount: 2, priority: 68 },
  { name: 'kit-inputs', test: inputs, priority: 68 },
  { name: 'kit-more', test: kit, minShareCount: 2, priority: 67 },
  // what stands around every screen: fetched apart from the screen, and always
  { name: 'frame', test: (id: string) => styles.test(id) || (frame.test(id) && !heavy.test(id)), priority: 66 },
  {
    name: 'parts',
    test: (id: string) => isLight(id) && !forms.test(id) && !entities(id) && !scrolledTable.test(id),
    minShareCount: 10,
    priority: 50,
  },
  { name: 'entity', test: entity, priority: 47 },
  { name: 'board', test: board, priority: 46 },
  { name: 'entities', test: entities, priority: 45 },
  { name: 'forms', test: forms, priority: 44 },
  {
    name: 'widgets',
    test: (id: string) => /[\\/]src[\\/]parts[\\/]widgets[\\/]/.test(id) && !heavy.test(id),
    priority: 43,
  },
  { name: 'parts-more', test: isLight, minShareCount: 3, priority: 40 },
];
