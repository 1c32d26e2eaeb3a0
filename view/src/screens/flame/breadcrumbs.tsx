// The way from everything to the frame that fills the picture.
import type { Tables } from '../../data/types';
import { nameOf, shorten } from '../../model/format';
import type { FrameTree } from '../../model/types';
import { pathTo } from './frame_path';

const SHOWN_AT_ENDS = 4;

export function Breadcrumbs(props: {
  frames: FrameTree;
  tables: Tables;
  root: number;
  onZoomInto: (row: number) => void;
}) {
  const { frames, tables } = props;
  const path = pathTo(frames, props.root);
  const isLong = path.length > 2 * SHOWN_AT_ENDS;
  const crumb = (row: number, isLast: boolean) => {
    const name = nameOf(tables, frames.function[row]);
    const text = shorten(name, 32);
    return (
      <li key={row}>
        {isLast ? (
          <b aria-current="true" title={name}>
            {text}
          </b>
        ) : (
          <button type="button" class="link" title={name} onClick={() => props.onZoomInto(row)}>
            {text}
          </button>
        )}
      </li>
    );
  };
  const crumbs = (rows: readonly number[]) => rows.map((row) => crumb(row, row === props.root));
  return (
    <nav aria-label="Zoomed into" class="crumbs">
      <ol>
        <li>
          {props.root < 0 ? (
            <b>everything</b>
          ) : (
            <button type="button" class="link" onClick={() => props.onZoomInto(-1)}>
              everything
            </button>
          )}
        </li>
        {isLong ? (
          <>
            {crumbs(path.slice(0, SHOWN_AT_ENDS))}
            <li>… {path.length - 2 * SHOWN_AT_ENDS} more …</li>
            {crumbs(path.slice(-SHOWN_AT_ENDS))}
          </>
        ) : (
          crumbs(path)
        )}
      </ol>
    </nav>
  );
}
