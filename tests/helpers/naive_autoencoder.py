"""The autoencoder by its description: one-hot rows, linear layers, autograd, torch's data loader. For tests and benchmarks."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class OneHotWindows(Dataset):
    """One sample for each event: n one-hot rows of float64, a zero row where there is no event."""

    def __init__(self, windows, activities):
        self.windows, self.activities = windows, activities

    def __len__(self):
        return len(self.windows)

    def __getitem__(self, i):
        rows = torch.zeros((self.windows.shape[1], self.activities), dtype=torch.float64)
        for position, activity in enumerate(self.windows[i]):
            if activity >= 0:
                rows[position, activity] = 1.0
        return rows


class NaiveAutoencoder(nn.Module):
    def __init__(self, n, activities, hidden=None):
        super().__init__()
        self.hidden = hidden
        self.inputs = nn.ModuleList(nn.Linear(activities, 128, bias=False, dtype=torch.float64) for _ in range(n))
        self.encode = nn.Linear(128 * n, 128, bias=False, dtype=torch.float64)
        self.decode = nn.Linear(128, 128 * n, bias=False, dtype=torch.float64)
        self.outputs = nn.ModuleList(nn.Linear(128 * n, activities, bias=False, dtype=torch.float64) for _ in range(n))

    def forward(self, rows):
        parts = [layer(rows[:, p]) * (p != self.hidden) for p, layer in enumerate(self.inputs)]
        decoded = self.decode(self.encode(torch.cat(parts, dim=1)))
        return torch.stack([layer(decoded) for layer in self.outputs], dim=1)


def train_epoch(model, optimiser, loader):
    for rows in loader:
        optimiser.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(model(rows), rows).backward()
        optimiser.step()


def loader_of(windows, activities, order, device="cpu"):
    loader = DataLoader(OneHotWindows(windows[order], activities), batch_size=32, shuffle=False)
    return (rows.to(device) for rows in loader)
