// What screens say of a profile without values.
import { Command, Empty } from '../parts/empty';
import { isScoped } from './scope';

export function NothingRecorded() {
  return (
    <Empty title={isScoped.value ? 'Nothing was recorded in this scope' : 'Nothing was recorded'}>
      <p>
        {isScoped.value
          ? 'Remove a chip above to see the whole run.'
          : 'The program may have ended before the first sample was taken. A higher rate sees more of a short program, an exact recording sees every call:'}
      </p>
      {!isScoped.value && (
        <Command text={'pyrometer run --rate 1000 script.py\npyrometer run --exact script.py'} />
      )}
    </Empty>
  );
}
