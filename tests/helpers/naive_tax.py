"""Tax's model, one at a time, as the specification says: for comparison. Everything is written out, in double precision."""

from datetime import UTC, datetime

import torch


def features(ids, seconds, labels, mean_gap, mean_age):
    """A case: for each event, one-hot over the labels (the ids in the order of their columns), and five numbers."""
    found = []
    for i, (label, second) in enumerate(zip(ids, seconds, strict=True)):
        when = datetime.fromtimestamp(second, UTC)
        midnight = when.replace(hour=0, minute=0, second=0, microsecond=0)
        row = [1.0 if label == other else 0.0 for other in labels]
        row += [i + 1, (second - seconds[max(i - 1, 0)]) / mean_gap, (second - seconds[0]) / mean_age]
        row += [(when - midnight).total_seconds() / 86400, when.weekday() / 7]
        found.append(row)
    return torch.tensor(found, dtype=torch.float64)


def padded(prefix, steps):
    """Empty places before a prefix (T, F)."""
    return torch.cat([torch.zeros(steps - len(prefix), prefix.shape[1], dtype=torch.float64), prefix])


class NaiveTax:
    """One model: its weights, and the moving averages of its normalisations; ``weights`` and ``moving`` come from outside."""

    def __init__(self, weights, moving):
        self.weights = {name: weight.detach().clone().double().requires_grad_() for name, weight in weights.items()}
        self.moving = {name: tensor.clone().double() for name, tensor in moving.items()}
        self.share = 0.01  # how much a batch counts in the moving averages

    def lstm(self, prefix, branch):
        """The three weights of an LSTM."""
        found = [self.weights[f"{prefix}{name}"] for name in ("kernel", "recurrent", "bias")]
        return found if branch is None else [weight[branch] for weight in found]

    def cell(self, x, h, c, prefix="", branch=None):
        kernel, recurrent, bias = self.lstm(prefix, branch)
        i, f, g, o = (x @ kernel + h @ recurrent + bias).split(100, dim=-1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c

    def normal(self, x, prefix="", branch=None, training=True):
        """Of places (n, H)."""
        at = slice(None) if branch is None else branch
        scale, shift = self.weights[f"{prefix}scale"][at], self.weights[f"{prefix}shift"][at]
        moving = [self.moving[f"{prefix}{name}"][at] for name in ("mean", "variance")]
        if training:
            mean = x.mean(dim=0)
            found = [mean, ((x - mean) ** 2).mean(dim=0)]
            for old, new in zip(moving, found, strict=True):
                old.copy_((1 - self.share) * old + self.share * new.detach())
        else:
            found = moving
        return scale * (x - found[0]) / torch.sqrt(found[1] + 0.001) + shift

    def heads(self, activity, time, training):
        """Logits and times of places (n, H)."""
        logits = self.normal(activity, "branch.", 0, training) @ self.weights["activity"] + self.weights["activity_bias"]
        times = self.normal(time, "branch.", 1, training) @ self.weights["time"] + self.weights["time_bias"]
        return logits, times[:, 0]

    def prefixes(self, x, masks=None):
        """Logits and times of padded prefixes (T, B, F). In training with masks (T, B, F) and twice (T, B, H) of dropout."""
        steps, batch, _ = x.shape
        zeros = torch.zeros(batch, 100, dtype=torch.float64)
        h, c, outputs = zeros, zeros, []
        for t in range(steps):
            h, c = self.cell(x[t] if masks is None else x[t] * masks[0][t] / 0.8, h, c)
            outputs.append(h)
        read = self.normal(torch.cat(outputs), training=masks is not None).view(steps, batch, 100)
        said = []
        for branch in (0, 1):
            h, c = zeros, zeros
            for t in range(steps):
                inputs = read[t] if masks is None else read[t] * masks[1 + branch][t] / 0.8
                h, c = self.cell(inputs, h, c, "branch.", branch)
            said.append(h)
        return self.heads(*said, training=masks is not None)

    def along(self, rows, states, prefix="", branch=None):
        """Read rows one by one: each a list of (place, is first, input); their states go on from ``states``, by row.

        Returns what is said at each place.
        """
        said = {}
        for row, events in enumerate(rows):
            h, c = states.get(row, (None, None))
            for place, is_first, x in events:
                if is_first:
                    h, c = torch.zeros(100, dtype=torch.float64), torch.zeros(100, dtype=torch.float64)
                h, c = self.cell(x, h, c, prefix, branch)
                said[place] = h
            if events:
                states[row] = h.detach(), c.detach()
        return said

    def piece(self, rows, states, masks):
        """Logits and times at the places of a piece in training; ``masks`` by place: of the inputs, and of both branches."""
        said = self.along([[(p, first, x * masks[0][p] / 0.8) for p, first, x in row] for row in rows], states[0])
        places = list(said)
        read = dict(zip(places, self.normal(torch.stack([said[p] for p in places])), strict=True))
        both = []
        for branch in (0, 1):
            inputs = [[(p, first, read[p] * masks[1 + branch][p] / 0.8) for p, first, _ in row] for row in rows]
            said = self.along(inputs, states[1 + branch], "branch.", branch)
            both.append(torch.stack([said[p] for p in places]))
        return places, *self.heads(*both, training=True)


def loss(logits, times, targets, wanted, timed):
    """The sum of cross-entropies and absolute errors."""
    total = 0.0
    for i, target in enumerate(targets):
        total = total - torch.log_softmax(logits[i], dim=0)[target]
        if timed[i]:
            total = total + (times[i] - wanted[i]).abs()
    return total
