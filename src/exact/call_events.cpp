#include "exact/call_events.h"

#include "exact/evaluation_hook.h"
#include "exact/monitoring.h"
#include "exact/profile_function.h"

namespace pyrometer {

Result<void> prepare_call_events() {
  static const bool is_known = callable_types.find();
  if (is_known) return {};
  return fail(ErrorCode::kUnsupported, "this Python's functions are not as they should be");
}

Result<void> start_call_events(CounterUser user, bool with_c_calls) {
  if (has_monitoring()) return start_monitoring(user, with_c_calls);
  if (!with_c_calls && user == CounterUser::kProfiler && start_evaluation_hook()) return {};
  PYROMETER_TRY_VOID(start_profile_function());
  if (user == CounterUser::kRecording) note_recording_over(false);
  return {};
}

void stop_call_events(CounterUser user, bool with_c_calls, bool in_own_thread) {
  if (has_monitoring()) {
    stop_monitoring(user, with_c_calls);
  } else if (in_own_thread && (with_c_calls || !stop_evaluation_hook())) {
    stop_profile_function();
  }
}

std::size_t start_call_events_of_others() {
  return has_monitoring() ? 0 : set_profile_function_of_others();
}

// On 3.11 other threads take their function back themselves, at the next event.
void end_call_events(CounterUser user) {
  if (has_monitoring()) {
    end_monitoring(user);
  } else {
    stop_profile_function();
    if (user == CounterUser::kRecording) note_recording_over(true);
  }
}

}  // namespace pyrometer
