#include "analyze/scaling_figures.h"

namespace pyrometer {

double speedup_of(double reference, double time, ScalingStep step) {
  return step.is_weak ? step.ratio * reference / time : reference / time;
}

double efficiency_of(double reference, double time, ScalingStep step) {
  return speedup_of(reference, time, step) / step.ratio;
}

double serial_fraction_of(double reference, double time, ScalingStep step) {
  const double speedup = speedup_of(reference, time, step);
  if (step.is_weak) return (step.ratio - speedup) / (step.ratio - 1);
  return (1 / speedup - 1 / step.ratio) / (1 - 1 / step.ratio);
}

double scaling_loss_of(double reference, double time, double whole, ScalingStep step) {
  const double ideal = step.is_weak ? reference : reference / step.ratio;
  return (time - ideal) / whole;
}

}  // namespace pyrometer
