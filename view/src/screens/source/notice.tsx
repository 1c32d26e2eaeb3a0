// What a reader must know of the text before trusting the lines.
import type { Source } from '../../data/types';
import type { FileValues } from './line_values';

export function Notice(props: { source: Source; values: FileValues }) {
  const { source, values } = props;
  return (
    <>
      {source.from === 'changed' && (
        <p class="notice" role="note">
          <b>This file has changed since the run</b>, so lines may be off. Record again, or view the profile
          where the version that ran is checked out.
        </p>
      )}
      {source.from === 'none' && (
        <p class="notice" role="note">
          <b>The text of this file is not here</b>: it is neither in the profile nor on this machine under
          that path. View the profile on the machine where the program ran; line numbers and values are
          complete without it.
        </p>
      )}
      {values.isByFunction && !values.exact && (
        <p class="notice" role="note">
          This profile knows functions, not lines: values stand where each function begins. A recording with{' '}
          <code>pyrometer run</code> knows the lines.
        </p>
      )}
    </>
  );
}
