"""Evermann's model and its training, one model at a time, as the specification says: for comparison."""

import torch


class NaiveEvermann:
    """One model: a vector for each id, an LSTM of 32 written step by step, logits. Weights come from outside."""

    def __init__(self, weights, table=None):
        self.weights = {name: weight.detach().clone().double().requires_grad_() for name, weight in weights.items()}
        self.table = self.weights["table"] if table is None else torch.as_tensor(table).double()
        self.kernel = next(weight for name, weight in self.weights.items() if name.startswith("kernel"))

    def logits(self, ids, h, c, mask=None, kept=1.0, keep=None):
        """Of ids (T, B), with a mask of dropout (T, B, D); the state is reset where ``keep`` (T, B) is 0. Also the state afterwards."""
        found = []
        for t, row in enumerate(ids):
            if keep is not None:
                h, c = (torch.where(keep[t][:, None] == 0, torch.zeros_like(part), part) for part in (h, c))
            x = self.table[row]
            if mask is not None:
                x = x * mask[t] / kept
            gates = x @ self.kernel + h @ self.weights["recurrent"] + self.weights["bias"]
            i, f, g, o = gates.split(32, dim=1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            found.append(h @ self.weights["out"] + self.weights["out_bias"])
        return torch.stack(found), h, c

    def loss(self, ids, targets, h, c, mask=None, kept=1.0, keep=None):
        """The mean over all places; one whose target is negative has none, and counts 0."""
        logits, h, c = self.logits(ids, h, c, mask, kept, keep)
        chances = torch.log_softmax(logits, dim=2)
        total = 0.0
        for t, row in enumerate(targets):
            for b, target in enumerate(row):
                if target >= 0:
                    total = total - chances[t, b, target]
        return total / targets.numel(), h, c


class NaiveSgd:
    """Keras' SGD: rate 1 / (1 + 0.75 t), Nesterov's momentum of 0.9, each tensor's gradient cut to a norm of 5."""

    def __init__(self, weights):
        self.weights = weights
        self.velocity = {name: torch.zeros_like(weight) for name, weight in weights.items()}
        self.batches = 0

    def step(self):
        rate = 1 / (1 + 0.75 * self.batches)
        with torch.no_grad():
            for name, weight in self.weights.items():
                gradient = weight.grad
                norm = gradient.norm()
                if norm > 5:
                    gradient = gradient * 5 / norm
                self.velocity[name] = 0.9 * self.velocity[name] - rate * gradient
                weight += 0.9 * self.velocity[name] - rate * gradient
                weight.grad = None
        self.batches += 1
