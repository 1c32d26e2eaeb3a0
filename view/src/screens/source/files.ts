// The files of the profile, the ones that cost the most first.
import { NONE, Origin, type Tables } from '../../data/types';
import { visible } from '../../model/format';
import { groupRows, type FunctionColumns } from '../../model/functions';

export interface FileRow {
  readonly file: number;
  readonly name: string;
  readonly path: string;
  readonly self: number;
  readonly total: number;
  readonly isOwn: boolean;
}

export function fileRows(costs: FunctionColumns, tables: Tables, matches: Uint8Array | null): FileRow[] {
  const { functions, files, texts } = tables;
  const own = new Set<number>();
  const matching = new Set<number>();
  for (const fn of costs.function) {
    if (functions.origin[fn] === (Origin.own as number)) own.add(functions.file[fn]);
    if (matches === null || matches[fn] === 1) matching.add(functions.file[fn]);
  }
  const groups = groupRows(costs, tables, 'file');
  const rows: FileRow[] = [];
  groups.key.forEach((file, row) => {
    if (file === NONE || !matching.has(file)) return;
    rows.push({
      file,
      name: visible(texts.get(files.name[file])),
      path: visible(texts.get(files.path[file])),
      self: groups.self[row],
      total: groups.total[row],
      isOwn: own.has(file),
    });
  });
  return rows.sort((a, b) => b.self - a.self || b.total - a.total || a.file - b.file);
}
